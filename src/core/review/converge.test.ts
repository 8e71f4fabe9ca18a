import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Finding, RawFinding } from "#core/model/finding.ts";
import { CommentId, FindingId, ThreadId } from "#core/model/ids.ts";
import { type Convergence, converge, knownAfter } from "#core/review/converge.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { aFinding, at, sha, someRules } from "#testing/makers.ts";

const reported = z.object(RawFinding.shape);
const thread = ThreadId.parse("t1");
const fixed: Finding["state"] = { kind: "resolved", resolution: { how: "fixed", head: sha(1) } };
const conceded: Finding["state"] = { kind: "resolved", resolution: { how: "conceded", reply: CommentId.parse("9") } };
const waived: Finding["state"] = { kind: "resolved", resolution: { how: "waived", by: "rita", head: sha(1) } };

function found(over: Partial<RawFinding> = {}): RawFinding {
  return reported.parse(aFinding("-", over));
}

function on(line: number, over: Partial<RawFinding> = {}): RawFinding {
  return found({ lines: { first: line, last: line }, ...over });
}

/** The second round, in which the role `general` read everything and nothing changed. */
function secondRound(over: Partial<ReviewRound> = {}): Convergence {
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
    deterministicRoles: new Set(),
    rolesInForce: new Set(["general", "security"]),
    ...over,
  });
}

/** What is raised when the same is found once more at the same head. */
function raisedAgain(over: Partial<ReviewRound>): readonly Finding[] {
  const known = knownAfter(secondRound(over));
  const { post, summarised } = secondRound({ ...over, known, renames: new Map() });
  return [...post, ...summarised];
}

/** Which list each finding ended in. */
function lists(result: Convergence): Readonly<Record<string, readonly string[]>> {
  const { dropped, ...kept } = result;
  const names = Object.entries({ ...kept, dropped: dropped.map(({ why }) => ({ id: why })) });
  return Object.fromEntries(
    names.map(([name, all]) => [name, all.map(({ id }) => id)]).filter(([, ids]) => ids?.length),
  );
}

describe("a new finding", () => {
  it("is posted as a whole finding", () => {
    const [posted] = secondRound({ found: [found()], round: 1 }).post;
    expect(posted).toEqual({
      ...found(),
      id: expect.any(String),
      isBlocking: true,
      head: sha(2),
      round: 1,
      state: { kind: "open" },
      thread: null,
      foundAt: at(30),
    });
  });

  it("below the problem score is dropped", () => {
    expect(lists(secondRound({ found: [found({ score: 4 })] }))).toEqual({ dropped: ["below_problem_score"] });
    expect(secondRound({ round: 1, found: [found({ score: 5 })] }).post).toHaveLength(1);
  });

  it("blocks from the blocking score on", () => {
    const post = secondRound({ round: 1, found: [on(1, { score: 6 }), on(2, { score: 7 })] }).post;
    expect(post.map(({ score, isBlocking }) => [score, isBlocking])).toEqual([
      [7, true],
      [6, false],
    ]);
  });

  it("over the limit of remarks goes to the summary, the best scores stay", () => {
    const scores = [6, 9, 7, 8].map((score, index) => on(index + 1, { score }));
    const rules = { ...someRules().reviews, commentsMax: 2 };
    const result = secondRound({ round: 1, found: scores, rules });
    expect(result.post.map(({ score }) => score)).toEqual([9, 8]);
    expect(result.summarised.map(({ score }) => score)).toEqual([7, 6]);
  });

  it("that two roles report on the same lines is said once, with the higher score", () => {
    const result = secondRound({ round: 1, found: [found({ score: 6 }), found({ score: 8, role: "security" })] });
    expect(result.post.map(({ role }) => role)).toEqual(["security"]);
    expect(lists(result)).toMatchObject({ dropped: ["repeated"] });
  });

  it("on equal code elsewhere in the file has an identity of its own", () => {
    const first = secondRound({ round: 1, found: [on(3)] });
    const second = secondRound({ round: 1, known: knownAfter(first), found: [on(3), on(90)] });
    expect(second.stands).toHaveLength(1);
    expect(second.post).toHaveLength(1);
    expect(new Set(knownAfter(second).map(({ id }) => id)).size).toBe(2);
  });
});

describe("the ratchet", () => {
  const changed: ReviewRound["changed"] = {
    kind: "parts",
    paths: new Map([["src/parser.ts", { old: [], new: [{ first: 10, last: 12 }] }]]),
  };

  it("lets what rules newly say about unchanged code be said, but not block, after the first round", () => {
    const deterministicRoles = new Set(["general"]);
    expect(secondRound({ found: [on(3)], changed, deterministicRoles }).post).toMatchObject([{ isBlocking: false }]);
  });

  it("lets a new finding on changed code block", () => {
    expect(secondRound({ found: [on(11)], changed }).post).toMatchObject([{ isBlocking: true }]);
  });

  it("lets everything block where nobody knows what changed", () => {
    expect(secondRound({ found: [on(3)], changed: { kind: "everything" } }).post).toMatchObject([{ isBlocking: true }]);
  });

  it("keeps a known blocker on unchanged code", () => {
    const known = [aFinding("k")];
    expect(secondRound({ known, found: [found()] }).stands).toEqual(known);
    expect(secondRound({ known }).stands).toEqual(known);
  });

  it("lets a known finding begin to block when its code changed and it is serious", () => {
    const known = [aFinding("k", { isBlocking: false, score: 5, lines: { first: 11, last: 11 } })];
    const { stands, post } = secondRound({ known, found: [on(11, { score: 9 })], changed });
    expect(stands).toMatchObject([{ id: "k", isBlocking: true, score: 9 }]);
    expect(post).toEqual([]);
  });

  it("does not let a known finding begin to block because it was read again", () => {
    const known = [aFinding("k", { isBlocking: false, score: 5 })];
    expect(secondRound({ known, found: [found({ score: 9 })], changed }).stands).toEqual([
      aFinding("k", { isBlocking: false, score: 9 }),
    ]);
  });

  it("shows a blocker that grew out of a slight remark as a new finding", () => {
    const known = [aFinding("k", { isBlocking: false, score: 5, lines: { first: 11, last: 11 } })];
    const worse = on(11, { score: 9, snippet: 'export const key = "hunter2";' });
    const result = secondRound({ known, found: [worse], changed });
    expect(result.post).toMatchObject([{ isBlocking: true, score: 9 }]);
    expect(lists(result)).toMatchObject({ stands: ["k"] });
  });
});

describe("a known finding that is found again", () => {
  it.each(["open", "disputed", "escalated"] as const)("and is %s is not posted again", (kind) => {
    const known = [aFinding("k", { state: { kind }, thread })];
    const result = secondRound({ known, found: [on(44, { message: "In other words.", score: 10 })] });
    expect(lists(result)).toEqual({ stands: ["k"], dropped: ["known"] });
    const place = { lines: { first: 44, last: 44 } };
    expect(result.stands).toEqual([{ ...known[0], ...place, message: "In other words.", score: 10 }]);
  });

  it("stands even if its role thinks less of it now, with the score and the words that it had", () => {
    const known = [aFinding("k")];
    const slighter = found({ score: 1, message: "Never mind.", assessment: "Slight." });
    const result = secondRound({ known, found: [slighter] });
    expect(lists(result)).toEqual({ stands: ["k"], dropped: ["known"] });
    expect(result.stands).toEqual(known);
  });

  it("takes a higher score together with the words for it", () => {
    const worse = { score: 9, message: "This is a live key.", assessment: "It was tried." };
    expect(secondRound({ known: [aFinding("k")], found: [found(worse)] }).stands).toEqual([aFinding("k", worse)]);
  });

  it("moves with its file and its code, and keeps its identity", () => {
    const snippet = 'export const key = "hunter2";';
    const renames = new Map([["src/reader.ts", "src/parser.ts"]]);
    const result = secondRound({ known: [aFinding("k")], found: [on(7, { snippet, path: "src/reader.ts" })], renames });
    expect(result.stands).toMatchObject([{ id: "k", snippet, path: "src/reader.ts", lines: { first: 7, last: 7 } }]);
  });

  it.each([
    ["conceded", conceded],
    ["waived", waived],
  ])("and was %s is a precedent", (_how, state) => {
    const result = secondRound({ round: 1, known: [aFinding("k", { state })], found: [found({ score: 8 })] });
    expect(lists(result)).toEqual({ settled: ["k"], dropped: ["precedent"] });
    expect(result.settled[0]?.state).toEqual(state);
  });

  it.each([9, 10])("and was waived is a precedent also for a score of %i", (score) => {
    const result = secondRound({ round: 1, known: [aFinding("k", { state: waived })], found: [found({ score })] });
    expect(lists(result)).toEqual({ settled: ["k"], dropped: ["precedent"] });
  });

  it.each([9, 10])("and was conceded is raised anew with a score of %i, which no argument answers", (score) => {
    const known = [aFinding("k", { state: conceded, thread })];
    const everything = { kind: "everything" } as const;
    const [raised] = secondRound({ known, found: [found({ score })], changed: everything }).post;
    expect(raised).toMatchObject({ id: "k", score, state: { kind: "open" }, thread: null, isBlocking: true });
    const deterministicRoles = new Set(["general"]);
    const { post } = secondRound({ known, found: [found({ score })], deterministicRoles });
    expect(post).toMatchObject([{ id: "k", isBlocking: false }]);
  });

  it("and was conceded is no precedent for the same code in a second place", () => {
    const known = [aFinding("k", { state: conceded })];
    expect(lists(secondRound({ round: 1, known, found: [on(3), on(60)] }))).toMatchObject({
      post: [expect.any(String)],
      dropped: ["precedent"],
    });
  });

  it("and was fixed is raised anew, under the same identity, as the blocker that it was", () => {
    const result = secondRound({ known: [aFinding("k", { state: fixed, thread })], found: [found()] });
    expect(result.post).toEqual([
      { ...aFinding("k"), head: sha(2), round: 2, foundAt: at(30), thread: null, isBlocking: true },
    ]);
  });

  it("and was fixed without ever blocking does not block on unchanged code", () => {
    const known = [aFinding("k", { state: fixed, isBlocking: false })];
    expect(secondRound({ known, found: [found()] }).post).toMatchObject([{ id: "k", isBlocking: false }]);
  });

  it("and was fixed does not come back in the place of a precedent beside it when the round is said again", () => {
    const known = [
      aFinding("fixed", { state: fixed, lines: { first: 17, last: 17 } }),
      aFinding("conceded", { state: conceded, lines: { first: 18, last: 18 } }),
    ];
    const reports = [on(1, { score: 1 }), on(2, { score: 5 })];
    const once = secondRound({ known, found: reports });
    expect(once.dropped.map(({ why }) => why)).toEqual(["below_problem_score", "precedent"]);
    expect(secondRound({ known: knownAfter(once), found: reports })).toEqual(once);
  });

  it("and was fixed stays so when it is not worth saying now", () => {
    const result = secondRound({ known: [aFinding("k", { state: fixed })], found: [found({ score: 4 })] });
    expect(lists(result)).toEqual({ settled: ["k"], dropped: ["below_problem_score"] });
  });
});

it("a blocker of rules is not fixed when its file takes the name of one in which the same was conceded", () => {
  const known = [
    aFinding("conceded", { path: "b.ts", state: conceded, lines: { first: 3, last: 3 } }),
    aFinding("open", { path: "a.ts", isBlocking: true, lines: { first: 40, last: 40 } }),
  ];
  const result = secondRound({
    known,
    found: [found({ path: "b.ts", lines: { first: 3, last: 3 } })],
    renames: new Map([["b.ts", "a.ts"]]),
    deterministicRoles: new Set(["general"]),
  });
  expect(result.fixed).toEqual([]);
  expect(result.stands).toMatchObject([{ id: "open", path: "b.ts", isBlocking: true }]);
});

describe("a round that is said again posts nothing", () => {
  const deterministicRoles = new Set(["rules"]);

  it("where a model, too late, and rules have named the same lines alike", () => {
    expect(raisedAgain({ found: [found({ score: 9 }), found({ role: "rules" })], deterministicRoles })).toEqual([]);
  });

  it("where a model and rules have named the same lines alike, beside what was conceded to a role that is gone", () => {
    const known = [aFinding("conceded", { role: "retired", score: 1, state: conceded })];
    const reports = [found({ role: "model", score: 9 }), found({ role: "rules", score: 9 })];
    expect(raisedAgain({ known, found: reports, deterministicRoles })).toEqual([]);
  });

  it("where what rules found has the words of a model, and something slight elsewhere is like it by them", () => {
    const known = [on(10, { role: "rules", rule: "a", snippet: "run(now)", message: "why", score: 4 })];
    const reports = [
      on(10, { rule: "b", snippet: "x", message: "do not run", score: 6 }),
      on(9, { rule: "b", snippet: "run(now)", message: "do not ever run", score: 2 }),
    ];
    const open = known.map((one) => aFinding("k", { ...one, isBlocking: false }));
    expect(raisedAgain({ round: 1, known: open, found: reports, deterministicRoles })).toEqual([]);
  });

  it("where a model has found another name for what stands, beside equal code that was waived", () => {
    const known = [
      aFinding("open", { snippet: "let run = now\nrun(now)", lines: { first: 3, last: 4 }, score: 8 }),
      aFinding("waived", { snippet: "run(now)", lines: { first: 9, last: 9 }, state: waived }),
    ];
    const reports = [
      found({ rule: "another-name", snippet: "run(now)", lines: { first: 4, last: 4 } }),
      found({ snippet: "run(now)", lines: { first: 9, last: 9 } }),
    ];
    expect(raisedAgain({ round: 1, known, found: reports })).toEqual([]);
  });

  it("where a model's finding came with a rename to lines of rules that were waived", () => {
    const known = [
      aFinding("disputed", { path: "old.ts", score: 10, state: { kind: "disputed" } }),
      aFinding("waived", { role: "rules", state: waived }),
    ];
    const reports = [found({ rule: "another-name", score: 5 }), found({ role: "rules", score: 1 })];
    const renames = new Map([["src/parser.ts", "old.ts"]]);
    expect(raisedAgain({ round: 1, known, found: reports, renames, deterministicRoles })).toEqual([]);
  });

  it("where rules have found one thing for another that is much like it", () => {
    const known = [
      aFinding("open", { role: "rules", snippet: "let run = now\nrun(now)", lines: { first: 3, last: 4 }, score: 8 }),
      aFinding("waived", { role: "rules", snippet: "run(now)", lines: { first: 9, last: 9 }, state: waived }),
    ];
    const reports = [
      found({ role: "rules", rule: "another-rule", snippet: "run(now)", lines: { first: 4, last: 4 } }),
      found({ role: "rules", snippet: "run(now)", lines: { first: 9, last: 9 } }),
    ];
    expect(raisedAgain({ round: 1, known, found: reports, deterministicRoles })).toEqual([]);
  });
});

describe("a known finding that is not found again", () => {
  const known = [aFinding("k")];
  const gone = new Set([FindingId.parse("k")]);
  const deterministicRoles = new Set(["general"]);

  it("stands while its code is there: a model that is silent has proven nothing", () => {
    expect(lists(secondRound({ known }))).toEqual({ stands: ["k"] });
  });

  it("is fixed when its code is gone", () => {
    const { fixed: done } = secondRound({ known, gone });
    expect(done).toMatchObject([{ id: "k", state: { kind: "resolved", resolution: { how: "fixed", head: sha(2) } } }]);
  });

  it("is fixed when a role that always says the same no longer says it", () => {
    expect(lists(secondRound({ known, deterministicRoles }))).toEqual({ fixed: ["k"] });
  });

  it.each(["disputed", "escalated"] as const)("is fixed by a code change also when it is %s", (kind) => {
    expect(lists(secondRound({ known: [aFinding("k", { state: { kind } })], gone }))).toEqual({ fixed: ["k"] });
  });

  it.each<[string, ReviewRound["coverage"]]>([
    ["its role did not finish", new Map([["security", { filesRead: 3, unread: [] }]])],
    [
      "its file was not read",
      new Map([["general", { filesRead: 2, unread: [{ path: "src/parser.ts", why: "budget" }] }]]),
    ],
    [
      "its file is excluded",
      new Map([["general", { filesRead: 2, unread: [{ path: "src/parser.ts", why: "excluded" }] }]]),
    ],
  ])("stands when %s", (_case, coverage) => {
    expect(lists(secondRound({ known, gone, deterministicRoles, coverage }))).toEqual({ stands: ["k"] });
  });

  it("stands when its file was renamed and then not read", () => {
    const coverage = new Map([
      ["general", { filesRead: 2, unread: [{ path: "src/reader.ts", why: "size" as const }] }],
    ]);
    const renames = new Map([["src/reader.ts", "src/parser.ts"]]);
    const result = secondRound({ known, gone, deterministicRoles, coverage, renames });
    expect(result.stands).toMatchObject([{ id: "k", path: "src/reader.ts" }]);
  });

  it.each([{ gone }, { gone, deterministicRoles }, { deterministicRoles }])(
    "stands when the look of its role names no file at all: %o",
    (proof) => {
      const coverage = new Map([["general", { filesRead: 0, unread: [] }]]);
      expect(lists(secondRound({ known, coverage, ...proof }))).toEqual({ stands: ["k"] });
    },
  );

  it("is fixed when its file is no longer part of a pull of which nothing was to be read", () => {
    const unread = [{ path: "dist/a.js", why: "excluded" as const }];
    const coverage = new Map([["general", { filesRead: 0, unread }]]);
    expect(lists(secondRound({ known, gone, coverage }))).toEqual({ fixed: ["k"] });
  });

  it("and of which one of two equal places was fixed is fixed once", () => {
    const both = [
      aFinding("k1", { lines: { first: 10, last: 10 } }),
      aFinding("k2", { lines: { first: 50, last: 50 } }),
    ];
    const result = secondRound({ known: both, found: [on(50)], deterministicRoles });
    expect(lists(result)).toEqual({ stands: ["k2"], fixed: ["k1"], dropped: ["known"] });
  });

  it("and was resolved stays resolved", () => {
    expect(lists(secondRound({ known: [aFinding("k", { state: waived })], gone }))).toEqual({ settled: ["k"] });
  });
});

it("a finding that is known twice is a mistake that ends the round", () => {
  expect(() => secondRound({ known: [aFinding("k"), aFinding("k", { score: 1 })] })).toThrow("came twice");
});
