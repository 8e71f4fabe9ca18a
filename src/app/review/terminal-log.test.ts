import { describe, expect, it } from "vitest";
import { terminalLog } from "#app/review/terminal-log.ts";
import type { Log } from "#ports/log.ts";

function heard(say: (log: Log) => void): { readonly warned: readonly string[]; readonly told: readonly string[] } {
  const warned: string[] = [];
  const told: string[] = [];
  say(terminalLog({ warn: (words) => warned.push(words), tell: (words) => told.push(words) }));
  return { warned, told };
}

describe("the log of somebody at a terminal", () => {
  it("says at once what is waited for, for how long and why", () => {
    const { told, warned } = heard((log) => {
      log.info({ model: "a/b", why: "a/b is not available (529)", pauseMs: 4_212 }, "pause");
      log.info({ model: "a/b", try: 2, triesMax: 4 }, "again");
      log.info({ model: "a/b", why: "a/b broke off: \u001b[2J", pauseMs: 10 }, "pause");
    });
    expect(told).toEqual([
      "asking again in 4 s: a/b is not available (529)",
      "asking a/b again, try 2 of 4",
      "asking again in 1 s: a/b broke off: <U+001B>[2J",
    ]);
    expect(warned).toEqual([]);
  });

  it("says nothing of what nobody waits for", () => {
    expect(heard((log) => log.info({ model: "a/b", count: 3 }, "something happened")).told).toEqual([]);
  });

  it("keeps what went wrong, with the facts", () => {
    const { told, warned } = heard((log) => {
      log.warn({ model: "a/b", why: "it is gone", pauseMs: 5 }, "model is out");
      log.error({}, "no good");
    });
    expect(warned).toEqual(["model is out (model: a/b, why: it is gone, pauseMs: 5)", "no good"]);
    expect(told).toEqual([]);
  });
});
