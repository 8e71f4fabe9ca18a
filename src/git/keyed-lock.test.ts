import { expect, it } from "vitest";
import { createKeyedLock } from "#git/keyed-lock.ts";

it("lets work on one key wait for the work before it, and other keys go on", async () => {
  const turns = createKeyedLock();
  const log: string[] = [];
  const openers: (() => void)[] = [];
  const gate = new Promise<void>((resolve) => {
    openers.push(resolve);
  });
  const first = turns.run("a", async () => {
    log.push("first begins");
    await gate;
    log.push("first ends");
  });
  const second = turns.run("a", async () => log.push("second"));
  await turns.run("b", async () => log.push("other"));
  for (const open of openers) open();
  await Promise.all([first, second]);
  expect(log).toEqual(["first begins", "other", "first ends", "second"]);
});

it("goes on after a failure, which only its own caller hears of", async () => {
  const turns = createKeyedLock();
  const failed = turns.run("a", () => Promise.reject(new Error("no")));
  const next = turns.run("a", async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
