import { expect, it } from "vitest";
import { never } from "#core/never.ts";

it("names the value it did not expect", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a lie about the type can reach this function.
  expect(() => never("x" as never)).toThrow('unexpected value: "x"');
});
