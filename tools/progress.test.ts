import { expect, it } from "vitest";
import { createProgress } from "./progress.ts";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
}

it("gives each step a line when it begins and when it ends, where nobody watches", () => {
  const { written, stream } = recorder(false);
  const progress = createProgress(stream);
  progress.begin("lint", { isAloud: false });
  progress.begin("types", { isAloud: false });
  progress.end("lint", "lint ok\n");
  progress.end("types", "types ok\n");
  expect(written.join("")).toBe("lint ...\ntypes ...\nlint ok\ntypes ok\n");
});

it("keeps one line of what runs on a terminal, and puts results in its place", () => {
  const { written, stream } = recorder(true);
  const progress = createProgress(stream);
  progress.begin("lint", { isAloud: false });
  progress.begin("types", { isAloud: false });
  expect(written.at(-1)).toBe("\r\u001B[Klint 0 s   types 0 s");
  progress.end("lint", "lint ok\n");
  expect(written.at(-1)).toBe("\r\u001B[Klint ok\n");
  progress.end("types", "types ok\n");
});

it("leaves the terminal to a step that writes to it", () => {
  const { written, stream } = recorder(true);
  createProgress(stream).begin("tests", { isAloud: true });
  expect(written).toEqual(["tests ...\n"]);
});
