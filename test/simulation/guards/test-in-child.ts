import { readFileSync } from "node:fs";
import { startVitest } from "vitest/node";
import * as z from "zod";
import { quickProject, slowProjects } from "#tools/test-tiers.ts";
import { RemovedGuard, removedGuardVariable } from "./guard-plugins.ts";

const Order = z.object({ root: z.string(), test: z.string(), guard: RemovedGuard.nullable() });

/** The whole of a child process that runs one test file, with or without a guard, and says which tests failed. */
export async function testInChild(): Promise<void> {
  const { root, test, guard } = Order.parse(JSON.parse(readFileSync(0, "utf8")));
  // A plugin given to `startVitest` reaches the first project alone, and the databases are in another one.
  if (guard !== null) process.env[removedGuardVariable] = JSON.stringify(guard);
  const project = [quickProject, ...slowProjects];
  const vitest = await startVitest("test", [test], { root, project, watch: false, reporters: [{}], maxWorkers: 1 });
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failed = tests.filter((each) => each.result().state === "failed").map(({ fullName }) => fullName);
  const broken = modules.flatMap((module) => module.errors().map(({ message }) => message));
  process.stdout.write(`${JSON.stringify({ ran: tests.length, failed, broken })}\n`);
  await vitest.close();
  process.exit(0);
}
