import { expect, it } from "vitest";
import { never } from "#core/never.ts";

it("the error of an unexpected value names the value", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a lie about the type can reach this function.
  expect(() => never("x" as never)).toThrow('unexpected value: "x"');
});
