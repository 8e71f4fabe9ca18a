import { spawn } from "node:child_process";
import * as z from "zod";
import type { Guard } from "./guard.ts";

const Answer = z.object({ ran: z.number(), failed: z.array(z.string()), broken: z.array(z.string()) });

/** What became of a test file. `failed` names the tests. */
export type TestsEnd =
  | { readonly kind: "passed"; readonly ran: number }
  | { readonly kind: "failed"; readonly failed: readonly string[] }
  | { readonly kind: "hung" }
  /** No test was run: that proves nothing about the guard. */
  | { readonly kind: "broken"; readonly why: string };

/** Runs a script that runs tests, on one test file. */
export function runTests(
  script: string,
  order: { readonly root: string; readonly test: string; readonly guard: Guard | null },
  timeoutMs: number,
): Promise<TestsEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"], cwd: order.root });
    let output = "";
    let errors = "";
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString("utf8");
    });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(isLate ? { kind: "hung" } : readEnd(output, errors));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(order));
  });
}

function readEnd(output: string, errors: string): TestsEnd {
  const line = output.trim().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) return { kind: "broken", why: errors.trim() || output.trim() || "it said nothing" };
  const { ran, failed, broken } = Answer.parse(JSON.parse(line));
  if (failed.length > 0) return { kind: "failed", failed };
  if (broken.length > 0 || ran === 0) return { kind: "broken", why: broken[0] ?? "there is no test in it" };
  return { kind: "passed", ran };
}
