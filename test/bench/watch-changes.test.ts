import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minuteMs } from "#core/model/instant.ts";
import { changeTimes } from "./watch-changes.ts";

const minutes = fc.integer({ min: 1, max: 120 });

describe("the times of the changes", () => {
  it("are as many as were asked for, in order and within the time", () => {
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 20 }), (count, perMinute) => {
        const times = changeTimes(count * minuteMs, perMinute);
        expect(times).toHaveLength(count * perMinute);
        expect(times).toEqual(times.toSorted((left, right) => left - right));
        expect(times.every((time) => time >= 0 && time < count * minuteMs)).toBe(true);
      }),
    );
  });

  it("are not in step with a poll every half minute", () => {
    const halves = changeTimes(60 * minuteMs, 1).map((time) => time % (minuteMs / 2));
    expect(Math.min(...halves)).toBeLessThan(3_000);
    expect(Math.max(...halves)).toBeGreaterThan(27_000);
  });
});
