import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import type { Log } from "#ports/log.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";

interface Desk {
  readonly clock: VirtualClock;
  readonly lines: string[];
  /** So many warnings of the same kind. */
  warn(count: number): void;
}

function aDesk(): Desk {
  const clock = createVirtualClock(at(10));
  const lines: string[] = [];
  const write: Log["warn"] = (facts, message) => void lines.push(`${message} ${String(facts["count"])}`);
  const warn = rateLimitedWarnings({ log: { info: write, warn: write, error: write }, clock });
  return {
    clock,
    lines,
    warn: (count) => {
      for (let time = 1; time <= count; time++) warn({ count: time }, "refused");
    },
  };
}

describe("warnings that strangers can cause", () => {
  it("are all written while they are few", () => {
    const desk = aDesk();
    desk.warn(60);
    expect(desk.lines).toHaveLength(60);
  });

  it("are left out when they are many, and the next minute says how many", async () => {
    const desk = aDesk();
    desk.warn(75);
    expect(desk.lines).toHaveLength(60);
    await desk.clock.advance(minuteMs);
    desk.warn(1);
    expect(desk.lines.slice(60)).toEqual(["as many warnings more were left out 15", "refused 1"]);
  });

  it("are written again when the clock was set back", () => {
    const desk = aDesk();
    desk.warn(75);
    desk.clock.set(at(0));
    desk.warn(1);
    expect(desk.lines.at(-1)).toBe("refused 1");
  });
});
