import { describe, expect, it } from "vitest";
import type { Guard } from "./guard.ts";
import { summaryLines, verdictLine } from "./verdict-words.ts";

const guard: Guard = { name: "hold", why: "It is merged.", file: "src/a.ts", text: "x", instead: "" };
const ms = 2_400;

describe("the words about a removed guard", () => {
  it("say which seed noticed, after how many, and what was wrong in one line", () => {
    const verdict = { kind: "killed", by: "seed 7", seeds: 7, problem: "safety: merged\n  and more" } as const;
    expect(verdictLine({ guard, verdict, ms })).toBe("killed   hold: by seed 7 after 7 seeds, 2 s: safety: merged");
  });

  it("cut a long story short", () => {
    const verdict = { kind: "killed", by: "a.test.ts", seeds: 0, problem: "x".repeat(400) } as const;
    expect(verdictLine({ guard, verdict, ms })).toBe(`killed   hold: by a.test.ts, 2 s: ${"x".repeat(150)}…`);
  });

  it("say that it hung, and that it survived", () => {
    expect(verdictLine({ guard, verdict: { kind: "hung", by: "seed 1", seeds: 1 }, ms })).toBe(
      "killed   hold: by seed 1 after 1 seed, 2 s: it hung",
    );
    expect(verdictLine({ guard, verdict: { kind: "survived", seeds: 90, why: "no seed failed" }, ms })).toBe(
      "SURVIVED hold: no seed failed (90 seeds, 2 s)",
    );
  });

  it("count the survivors, say what each would have prevented, and where the code as it is fails", () => {
    const survived = { guard, verdict: { kind: "survived", seeds: 1, why: "" } as const, ms };
    const hung = { guard, verdict: { kind: "hung", by: "seed 1", seeds: 1 } as const, ms };
    const sound = { seeds: 9, failed: [{ seed: 4, problem: "bad\nworse" }] };
    expect(summaryLines([survived, hung], sound)).toEqual([
      "2 guards removed one by one, 2 under the simulation and 0 under tests: 1 removals caught, 1 survived",
      "  hold (src/a.ts): It is merged.",
      "the code as it is: 1 of 9 seeds failed",
      "  seed 4, so that deaths of this kind prove nothing: bad",
    ]);
  });
});
