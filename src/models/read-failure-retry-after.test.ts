import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, hourMs, instant, secondMs } from "#core/model/instant.ts";
import { readRetryAfter } from "#models/read-failure.ts";

const now = instant(Date.UTC(2026, 0, 31, 12, 0, 0));

function inMs(headers: Readonly<Record<string, string>>, body = ""): number | null {
  const at = readRetryAfter({ headers, body, now });
  return at === null ? null : at - now;
}

describe("when to ask again", () => {
  it.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": " 1.5 " }, 1_500],
    [{ "retry-after": "Sat, 31 Jan 2026 12:01:00 GMT" }, 60_000],
    [{ "retry-after": "Sat, 31 Jan 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
    [{ "retry-after": "later" }, null],
    [{ "retry-after": "-5x" }, null],
    [{ "retry-after": "" }, null],
    [{}, null],
  ])("is read from %j", (headers, expected) => {
    expect(inMs(headers)).toBe(expected);
  });

  it("is read from where Google says it", () => {
    const details = [{ "@type": "QuotaFailure" }, { "@type": "RetryInfo", retryDelay: "34.07s" }];
    expect(inMs({}, JSON.stringify({ error: { code: 429, details } }))).toBe(34_070);
    expect(inMs({}, JSON.stringify({ error: { details: [{ retryDelay: "soon" }] } }))).toBeNull();
    expect(inMs({}, "retryDelay, but no JSON")).toBeNull();
  });

  it("is no later than one can plan with", () => {
    expect(inMs({ "retry-after": "99999999999999999999" })).toBe(24 * hourMs);
  });

  it("is never in the past and never further away than a day, whatever is said", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (seconds, ms, body) => {
        const at = readRetryAfter({ headers: { "retry-after": seconds, "retry-after-ms": ms }, body, now });
        if (at === null) return;
        expect(at).toBeGreaterThanOrEqual(now);
        expect(at).toBeLessThanOrEqual(after(now, 24 * 3600 * secondMs));
      }),
    );
  });
});
