import { expect, it } from "vitest";
import { runNode } from "./child.ts";

function runScript(script: string) {
  return runNode({ script: "--eval", args: [script], output: "keep" });
}

it("a child process is heard on both streams, and its exit code is kept", async () => {
  const end = await runScript("process.stdout.write('a'); process.stderr.write('b'); process.exitCode = 3;");
  expect({ ...end, output: end.output.split("").sort().join("") }).toEqual({ code: 3, output: "ab" });
});

it("reports a child that a signal ended as a shell would", async () => {
  expect(await runScript("process.kill(process.pid, 'SIGTERM')")).toEqual({ code: 143, output: "" });
});

it("a child process ends when it is told to stop", async () => {
  const controller = new AbortController();
  const running = runNode({
    script: "--eval",
    args: ["setInterval(() => {}, 1000)"],
    output: "keep",
    signal: controller.signal,
  });
  controller.abort();
  expect((await running).code).not.toBe(0);
});
