import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Backoff, backoffMs } from "#core/backoff.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";

function pausesOf(span: Omit<Backoff, "attempt">, attempts: number): readonly number[] {
  return Array.from({ length: attempts }, (_, before) => backoffMs({ ...span, attempt: before + 1 }));
}

it("doubles the first pause after each attempt, up to the longest", () => {
  expect(pausesOf({ firstMs: secondMs }, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(pausesOf({ firstMs: minuteMs, maxMs: hourMs }, 8).map((ms) => ms / minuteMs)).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60,
  ]);
});

it("a back-off never exceeds its cap, never becomes shorter, and is always a number", () => {
  const ms = fc.nat({ max: 24 * hourMs });
  fc.assert(
    fc.property(fc.integer({ min: -5, max: 5_000 }), ms, ms, (attempt, firstMs, maxMs) => {
      const pauseMs = backoffMs({ attempt, firstMs, maxMs });
      expect(pauseMs).toBeLessThanOrEqual(maxMs);
      expect(pauseMs).toBeGreaterThanOrEqual(Math.min(firstMs, maxMs));
      expect(backoffMs({ attempt: attempt + 1, firstMs, maxMs })).toBeGreaterThanOrEqual(pauseMs);
      expect(Number.isFinite(backoffMs({ attempt, firstMs }))).toBe(true);
    }),
  );
});
