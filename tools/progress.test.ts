import { expect, it } from "vitest";
import { createProgress } from "./progress.ts";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
}

it("without a terminal, each step has a line when it begins and when it ends", () => {
  const { written, stream } = recorder(false);
  const progress = createProgress(stream);
  progress.begin("lint", { isAloud: false });
  progress.begin("types", { isAloud: false });
  progress.end("lint", "lint ok\n");
  progress.end("types", "types ok\n");
  expect(written.join("")).toBe("lint ...\ntypes ...\nlint ok\ntypes ok\n");
});

it("on a terminal, one line shows the steps that run, and results take its place", () => {
  const { written, stream } = recorder(true);
  const progress = createProgress(stream);
  progress.begin("lint", { isAloud: false });
  progress.begin("types", { isAloud: false });
  expect(written.at(-1)).toBe("\r\u001B[Klint 0 s   types 0 s");
  progress.end("lint", "lint ok\n");
  expect(written.at(-1)).toBe("\r\u001B[Klint ok\n");
  progress.end("types", "types ok\n");
});

it("on a terminal, a step that writes to it has it for itself", () => {
  const { written, stream } = recorder(true);
  createProgress(stream).begin("tests", { isAloud: true });
  expect(written).toEqual(["tests ...\n"]);
});
