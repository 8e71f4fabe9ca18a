import { expect, test } from "vitest";
import { runProgram } from "./run-program.ts";

test("a program's words and its code are kept apart", async () => {
  const script = 'console.log("out"); console.error("err"); process.exit(3);';
  const end = await runProgram({ program: process.execPath, args: ["-e", script] });
  expect(end).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
});

test("what it says on standard error is heard line by line, and what it is given is there", async () => {
  const lines: string[] = [];
  await runProgram({
    program: process.execPath,
    args: ["-e", 'console.error(process.env.WORD); console.error("two");'],
    env: { WORD: "one" },
    onLine: (line) => lines.push(line),
  });
  expect(lines).toEqual(["one", "two"]);
});

test("a program that is not there has the code that a shell would report", async () => {
  expect((await runProgram({ program: "drover-no-such-program", args: [] })).code).toBe(127);
});
