import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, formatInstant, Instant, instant, instantMax, parseInstant } from "#core/model/instant.ts";

const anyMs = fc.integer({ min: 0, max: instantMax });

describe("instant", () => {
  it("writes what the platform's own calendar writes", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(formatInstant(instant(ms))).toBe(new Date(ms).toISOString().replace(".000Z", "Z"));
      }),
      { numRuns: 1000 },
    );
  });

  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(parseInstant(formatInstant(instant(ms)))).toBe(ms);
      }),
    );
  });

  it.each(["2026-02-28T23:59:59+05:30", "2024-02-29T00:00:00.5Z", "1999-12-31T23:59:59-0800", "2026-01-01T00:00Z"])(
    "reads %s as the platform does",
    (text) => expect(parseInstant(text)).toBe(Date.parse(text.replace("-0800", "-08:00"))),
  );

  it.each(["2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "now", ""])(
    "refuses %j",
    (text) => expect(parseInstant(text)).toBeUndefined(),
  );

  it("takes milliseconds and text in files, and names what it expected", () => {
    expect(Instant.parse(5)).toBe(5);
    expect(Instant.parse("1970-01-01T00:00:01Z")).toBe(1000);
    expect(Instant.safeParse("yesterday").error?.issues[0]?.message).toContain("expected a time such as");
    expect(Instant.safeParse(-1).success).toBe(false);
    expect(Instant.safeParse(1.5).success).toBe(false);
  });

  it.each([
    [-5, "0 s"],
    [40_000, "40 s"],
    [90 * 60_000, "90 min"],
    [3 * 3_600_000, "3 h"],
    [26.5 * 3_600_000, "26 h 30 min"],
    [51 * 3_600_000, "2 d 3 h"],
  ])("says %d ms as %s", (ms, words) => expect(formatDuration(ms)).toBe(words));
});
