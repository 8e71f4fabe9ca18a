import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Finding, RawFinding } from "#core/model/finding.ts";
import { CommentId } from "#core/model/ids.ts";
import { type Convergence, converge, knownAfter } from "#core/review/converge.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { aFinding, at, sha, someRules } from "#testing/makers.ts";

const reported = z.object(RawFinding.shape);
const conceded: Finding["state"] = { kind: "resolved", resolution: { how: "conceded", reply: CommentId.parse("9") } };
const waived: Finding["state"] = { kind: "resolved", resolution: { how: "waived", by: "rita", head: sha(1) } };
const renamed = { rule: "another-name", message: "Entirely different words about it." };

function found(over: Partial<RawFinding> = {}): RawFinding {
  return reported.parse(aFinding("-", over));
}

/** A later round of a model, in which nothing changed. */
function laterRound(over: Partial<ReviewRound> = {}): Convergence {
  return converge({
    known: [],
    found: [],
    head: sha(2),
    round: 2,
    foundAt: at(30),
    rules: someRules().reviews,
    changed: { kind: "parts", paths: new Map() },
    gone: new Set(),
    coverage: new Map([["general", { filesRead: 3, unread: [] }]]),
    renames: new Map(),
    deterministicRoles: new Set(["rules"]),
    rolesInForce: new Set(["general", "security", "rules"]),
    ...over,
  });
}

function dropped(result: Convergence): readonly string[] {
  return result.dropped.map(({ why }) => why);
}

const everything = { kind: "everything" } as const;

describe("what a model says again under another name and in other words", () => {
  const known = [aFinding("k", { score: 5, isBlocking: false })];

  it.each([
    ["on the same code", {}],
    ["with another score", { score: 10 }],
    ["in another role", { role: "security" }],
  ])("is known %s", (_, over) => {
    const result = laterRound({ known, found: [found({ ...renamed, ...over })] });
    expect(result.post).toEqual([]);
    expect(result.stands.map(({ id }) => id)).toEqual(["k"]);
  });

  it("is known on the same code also where nobody can tell what changed, and may block there", () => {
    const result = laterRound({ known, found: [found({ ...renamed, score: 9 })], changed: everything });
    expect(result.post).toEqual([]);
    expect(result.stands).toMatchObject([{ id: "k", isBlocking: true, message: renamed.message }]);
  });

  it("is known where its quote merely touches the lines, as long as they have not changed", () => {
    const wider = found({ ...renamed, snippet: "x();\ny();", lines: { first: 2, last: 4 } });
    expect(laterRound({ known, found: [wider] }).stands.map(({ id }) => id)).toEqual(["k"]);
    expect(laterRound({ known, found: [wider], changed: everything }).post).toHaveLength(1);
  });

  it("is news where the code that was meant is gone", () => {
    const gone = new Set(known.map(({ id }) => id));
    const result = laterRound({ known, gone, found: [found(renamed)], changed: everything });
    expect(result.post).toHaveLength(1);
    expect(result.fixed.map(({ id }) => id)).toEqual(["k"]);
  });

  it.each([
    ["conceded", conceded],
    ["waived", waived],
  ])("stays settled where it was %s and the code has not changed", (_, state) => {
    const settled = [aFinding("k", { state })];
    const result = laterRound({ known: settled, found: [found({ ...renamed, score: 8 })] });
    expect([result.post, dropped(result)]).toEqual([[], ["precedent"]]);
    expect(laterRound({ known: settled, found: [found(renamed)], changed: everything }).post).toHaveLength(1);
  });

  it("does not undo a concession by a higher score on unchanged code", () => {
    const settled = [aFinding("k", { state: conceded })];
    const result = laterRound({ known: settled, found: [found({ ...renamed, score: 9 })] });
    expect([result.post, dropped(result), result.settled]).toEqual([[], ["late"], settled]);
  });

  it("is said once where one look has several names for the same lines, in the worst words", () => {
    const result = laterRound({ round: 1, found: [found({ score: 6 }), found({ ...renamed, score: 8 })] });
    expect(result.post).toMatchObject([{ rule: "another-name", score: 8 }]);
    expect(dropped(result)).toEqual(["repeated"]);
  });
});

describe("what a model repeats that rules have found", () => {
  const known = [aFinding("k", { role: "rules", score: 8 })];

  it("on the same lines is theirs, and said once, in the worst words", () => {
    const result = laterRound({
      known,
      found: [found({ ...renamed, snippet: "other", score: 9 })],
      changed: everything,
    });
    expect(result.post).toEqual([]);
    const { rule, snippet } = aFinding("k");
    expect(result.stands).toMatchObject([
      { id: "k", role: "rules", rule, snippet, score: 9, message: renamed.message },
    ]);
  });

  it("has no suggestion of theirs below words that are not", () => {
    const suggestion = "tidy();";
    const byRules = found({ role: "rules", score: 8, suggestion });
    const worse = found({ ...renamed, score: 9 });
    const slighter = found({ ...renamed, score: 7 });
    const mended = [aFinding("k", { role: "rules", score: 8, suggestion })];
    const kept = laterRound({ known: mended, found: [slighter], changed: everything }).stands;
    expect(kept).toMatchObject([{ message: byRules.message, suggestion }]);
    const first = laterRound({ known: mended, found: [worse], changed: everything }).stands;
    expect(first).toMatchObject([{ message: renamed.message, suggestion: null }]);
    const second = laterRound({ known: first, found: [byRules], changed: everything }).stands;
    expect(second).toMatchObject([{ message: renamed.message, suggestion: null }]);
  });

  it("goes over to them where they come second, under their name", () => {
    const said = [aFinding("k", { ...renamed, role: "general" })];
    const byRules = found({ role: "rules" });
    const first = laterRound({ known: said, found: [byRules], changed: everything });
    expect([first.post, first.stands.map(({ role, rule }) => [role, rule])]).toEqual([[], [["rules", byRules.rule]]]);
    expect(laterRound({ known: first.stands, found: [byRules], changed: everything }).post).toEqual([]);
  });

  it("is news where it would block and they thought little of it, and on other lines", () => {
    const slight = [aFinding("k", { role: "rules", score: 5, isBlocking: false })];
    expect(
      laterRound({ known: slight, found: [found({ ...renamed, score: 9 })], changed: everything }).post,
    ).toHaveLength(1);
    const elsewhere = found({ ...renamed, lines: { first: 4, last: 4 } });
    expect(laterRound({ known, found: [elsewhere], changed: everything }).post).toHaveLength(1);
  });
});

describe("what a model mentions only now", () => {
  it("is late on code that it has read before, and news on code that changed", () => {
    expect(dropped(laterRound({ found: [found({ score: 10 })] }))).toEqual(["late"]);
    expect(laterRound({ found: [found()], round: 1 }).post).toHaveLength(1);
    expect(laterRound({ found: [found()], changed: everything }).post).toHaveLength(1);
  });
});

describe("what a model says when somebody asks for another look at the same head", () => {
  it("is known where it touches the lines of what it said before, and else news that may block", () => {
    const known = [aFinding("k")];
    const asked = { known, round: 1, changed: everything, isSecondLook: true };
    const wider = found({ ...renamed, snippet: "x();\ny();", lines: { first: 2, last: 4 } });
    expect(laterRound({ ...asked, found: [wider] }).post).toEqual([]);
    const other = found({ ...renamed, snippet: "z();", lines: { first: 40, last: 40 } });
    expect(laterRound({ ...asked, found: [other] }).post).toMatchObject([{ isBlocking: true }]);
    expect(laterRound({ found: [other], isSecondLook: true }).post).toMatchObject([{ isBlocking: false }]);
  });
});

/** Few places, so that what is said meets what was said. */
const anySaid: fc.Arbitrary<RawFinding> = fc
  .record({
    role: fc.constantFrom("general", "security"),
    rule: fc.constantFrom("a", "b", "c"),
    message: fc.constantFrom("one", "two words", "three other words"),
    snippet: fc.constantFrom("run(now)", "walk(then)", "run(now)\nwalk(then)", "stop"),
    score: fc.integer({ min: 1, max: 10 }),
    first: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ first, ...over }) => found({ ...over, lines: { first, last: first + over.snippet.split("\n").length - 1 } }));

describe("any rounds of models on unchanged code", () => {
  it("never have more open findings than the one before", () => {
    fc.assert(
      fc.property(
        fc.array(anySaid, { maxLength: 6 }),
        fc.array(fc.array(anySaid, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        (first, later) => {
          let known = knownAfter(laterRound({ round: 1, found: first }));
          for (const said of later) {
            const before = known.filter(({ state }) => state.kind === "open").length;
            const result = laterRound({ known, found: said });
            known = knownAfter(result);
            expect(result.post).toEqual([]);
            expect(known.filter(({ state }) => state.kind === "open").length).toBe(before);
          }
        },
      ),
    );
  });
});
