import { expect, it } from "vitest";
import { createKeyedLock } from "#git/keyed-lock.ts";

it("work on one key waits for earlier work on it, and work on other keys does not", async () => {
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

it("a keyed lock goes on after a failure, of which only its own caller hears", async () => {
  const turns = createKeyedLock();
  const failed = turns.run("a", () => Promise.reject(new Error("no")));
  const next = turns.run("a", async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
