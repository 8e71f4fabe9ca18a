import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Finding, RawFinding } from "#core/model/finding.ts";
import { CommentId, type FindingId } from "#core/model/ids.ts";
import { type Convergence, converge, knownAfter } from "#core/review/converge.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { aFinding, at, sha, someRules } from "#testing/makers.ts";

const reported = z.object(RawFinding.shape);

/** Few paths, rules and snippets, so that findings meet each other in every layer. */
const anyReport: fc.Arbitrary<RawFinding> = fc
  .record({
    role: fc.constantFrom("rules", "model"),
    path: fc.constantFrom("a", "b", "c"),
    rule: fc.constantFrom("r", "s"),
    side: fc.constantFrom("old", "new"),
    snippet: fc.constantFrom("", "run(now)", "run(now, then)", "x", "  run(now)", "let run = now\nrun(now)"),
    message: fc.constantFrom("do not run", "do not ever run", "why"),
    score: fc.integer({ min: 1, max: 10 }),
    first: fc.integer({ min: 1, max: 20 }),
    height: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ first, height, ...over }) =>
    reported.parse(aFinding("-", { ...over, lines: { first, last: first + height } })),
  );

const anyState: fc.Arbitrary<Finding["state"]> = fc.constantFrom<Finding["state"][]>(
  { kind: "open" },
  { kind: "disputed" },
  { kind: "escalated" },
  { kind: "resolved", resolution: { how: "fixed", head: sha(1) } },
  { kind: "resolved", resolution: { how: "conceded", reply: CommentId.parse("1") } },
  { kind: "resolved", resolution: { how: "waived", by: "rita", head: sha(1) } },
);

const anyKnown = fc
  .array(
    fc.record({
      report: anyReport,
      role: fc.constantFrom("rules", "model", "retired"),
      state: anyState,
      isBlocking: fc.boolean(),
    }),
    { maxLength: 10 },
  )
  .map((all) => all.map(({ report, ...over }, index) => aFinding(`k${index}`, { ...report, ...over })));

const anyRanges = fc.array(
  fc.integer({ min: 1, max: 20 }).map((first) => ({ first, last: first + 3 })),
  { maxLength: 2 },
);
const anyChange: fc.Arbitrary<ReviewRound["changed"]> = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.record({ old: anyRanges, new: anyRanges })), { maxLength: 3 })
  .map((paths) => ({ kind: "parts", paths: new Map(paths) }));

const anyCoverage = fc
  .array(
    fc.tuple(
      fc.constantFrom("rules", "model"),
      // Null: a look that never was one.
      fc.option(fc.subarray(["a", "b", "c"])).map((paths) => ({
        filesRead: 3 - (paths?.length ?? 3),
        unread: (paths ?? []).map((path) => ({ path, why: "size" as const })),
      })),
    ),
    { maxLength: 2 },
  )
  .map((roles) => new Map(roles));

const anyRound: fc.Arbitrary<ReviewRound> = anyKnown.chain((known) =>
  fc.record({
    known: fc.constant(known),
    found: fc.array(anyReport, { maxLength: 10 }),
    head: fc.constant(sha(2)),
    round: fc.integer({ min: 1, max: 3 }),
    foundAt: fc.constant(at(9)),
    rules: fc.integer({ min: 0, max: 5 }).map((commentsMax) => ({ ...someRules().reviews, commentsMax })),
    changed: anyChange,
    gone: fc.subarray(known.map(({ id }) => id)).map((ids) => new Set(ids)),
    coverage: anyCoverage,
    renames: fc
      .array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.constantFrom("a", "b", "c", "z")), { maxLength: 2 })
      .map((all) => new Map(all.filter(([path, old]) => path !== old))),
    deterministicRoles: fc.constantFrom(new Set(["rules"]), new Set(["rules", "retired"])),
    rolesInForce: fc.subarray(["rules", "model"]).map((roles) => new Set(roles)),
  }),
);

function raised(result: Convergence): readonly Finding[] {
  return [...result.post, ...result.summarised];
}

/** In the lines of the change, by counting them one by one. */
function touches({ path, side, lines, snippet }: Finding, { changed }: ReviewRound): boolean {
  if (changed.kind === "everything") return true;
  const parts = changed.paths.get(path) ?? { old: [], new: [] };
  const ranges = snippet.trim() === "" ? [...parts.old, ...parts.new] : parts[side];
  const touched = new Set(ranges.flatMap(({ first, last }) => countUp(first, last)));
  return snippet.trim() === "" ? touched.size > 0 : countUp(lines.first, lines.last).some((line) => touched.has(line));
}

function isPrecedent({ state }: Finding, how?: "conceded" | "waived"): boolean {
  if (state.kind !== "resolved" || state.resolution.how === "fixed") return false;
  return how === undefined || state.resolution.how === how;
}

/** Whoever looked, read the file, speaks for the finding, and proves something by not finding it. */
function rolesThatMayFix({ id, role, path }: Finding, round: ReviewRound): readonly string[] {
  return ["rules", "model"].filter((reader) => {
    const { filesRead, unread } = round.coverage.get(reader) ?? { filesRead: 0, unread: [] };
    if (filesRead === 0 && unread.length === 0) return false;
    if (unread.map((hole) => hole.path).includes(path)) return false;
    if (reader !== role && round.rolesInForce.has(role)) return false;
    const isSilentRule = reader === "rules" && (role === "rules" || round.deterministicRoles.has(role));
    return round.gone.has(id) || isSilentRule;
  });
}

function countUp(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe("any round of reviews", () => {
  it("said once more posts nothing", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const first = converge(round);
        // What was just found is there, whatever was thought of its code before.
        const seenAgain = first.dropped.flatMap((dropped) => ("known" in dropped ? [dropped.known] : []));
        const isBack = new Set([...raised(first).map(({ id }) => id), ...seenAgain]);
        const gone = new Set([...round.gone].filter((id) => !isBack.has(id)));
        // Nothing was renamed between two looks at one head.
        const again = converge({ ...round, known: knownAfter(first), gone, renames: new Map() });
        expect(raised(again)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("loses nothing: every finding ends in exactly one list", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const result = converge(round);
        const after = knownAfter(result).map(({ id }) => id);
        expect(new Set(after).size).toBe(after.length);
        const knownIds = new Set<string>(round.known.map(({ id }) => id));
        expect(after.filter((id) => knownIds.has(id)).toSorted()).toEqual([...knownIds].toSorted());
        const kept = raised(result).map((finding) => JSON.stringify(reported.parse(finding)));
        const dropped = result.dropped.map(({ finding }) => JSON.stringify(finding));
        expect([...kept, ...dropped].toSorted()).toEqual(round.found.map((found) => JSON.stringify(found)).toSorted());
      }),
    );
  });

  it("does not depend on the order of anything", () => {
    const mixed = anyRound.chain((round) =>
      fc.record({
        round: fc.constant(round),
        known: fc.shuffledSubarray([...round.known], { minLength: round.known.length }),
        found: fc.shuffledSubarray([...round.found], { minLength: round.found.length }),
        renames: fc
          .shuffledSubarray([...round.renames], { minLength: round.renames.size })
          .map((entries) => new Map(entries)),
      }),
    );
    fc.assert(
      fc.property(mixed, ({ round, ...others }) => {
        expect(converge({ ...round, ...others })).toEqual(converge(round));
      }),
    );
  });

  it("after the first one lets nothing begin to block on unchanged code", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        fc.pre(round.round > 1);
        const before = new Set(round.known.filter(({ isBlocking }) => isBlocking).map(({ id }) => id));
        const begun = knownAfter(converge(round)).filter(({ id, isBlocking }) => isBlocking && !before.has(id));
        expect(begun.filter((finding) => !touches(finding, round))).toEqual([]);
      }),
    );
  });

  it("lets every new finding block that is serious enough and may", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const before = new Set(round.known.map(({ id }) => id));
        for (const finding of raised(converge(round)).filter(({ id }) => !before.has(id))) {
          const isDue = finding.score >= round.rules.blockingScore && (round.round === 1 || touches(finding, round));
          expect(finding.isBlocking).toBe(isDue);
        }
      }),
    );
  });

  it("keeps the limits: remarks, scores, and the best first", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const result = converge(round);
        const scores = raised(result).map(({ score }) => score);
        expect(result.post.length).toBe(Math.min(scores.length, round.rules.commentsMax));
        expect(scores).toEqual(scores.toSorted((left, right) => right - left));
        expect(scores.every((score) => score >= round.rules.problemScore)).toBe(true);
      }),
    );
  });

  it("never unblocks without a reason: an open blocker is still one, or its file was read and it is fixed", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const result = converge(round);
        const standing = new Set(result.stands.filter(({ isBlocking }) => isBlocking).map(({ id }) => id));
        const blockers = round.known.filter(({ isBlocking, state }) => isBlocking && state.kind !== "resolved");
        for (const blocker of blockers.filter(({ id }) => !standing.has(id))) {
          expect(result.fixed.map(({ id }) => id)).toContain(blocker.id);
          expect(rolesThatMayFix(blocker, round)).not.toEqual([]);
        }
      }),
    );
  });

  it("never fixes what another role has just reported at the same head", () => {
    fc.assert(
      fc.property(anyRound, fc.constantFrom("rules", "model"), (round, speaker) => {
        const rolesInForce = new Set(["rules", "model"]);
        const found = round.found.filter(({ role }) => role === speaker);
        const looked = { filesRead: 3, unread: [] };
        const spoke = converge({ ...round, rolesInForce, found, coverage: new Map([[speaker, looked]]) });
        // What rules say stays theirs, also when a model repeats it.
        const ofRules = new Set(
          round.known.filter(({ role }) => round.deterministicRoles.has(role)).map(({ id }) => id),
        );
        const isOthers = (id: FindingId): boolean => speaker === "rules" || !ofRules.has(id);
        const known = spoke.dropped.flatMap((one) => (one.why === "known" ? [one.known] : []));
        const said = new Set(known.filter(isOthers));
        const other = speaker === "rules" ? "model" : "rules";
        const silent = { ...round, rolesInForce, known: knownAfter(spoke), found: [] };
        const { fixed } = converge({ ...silent, coverage: new Map([[other, looked]]) });
        expect(fixed.filter(({ id }) => said.has(id))).toEqual([]);
      }),
    );
  });

  it("never makes a finding that stands slighter", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const before = new Map(round.known.map((finding) => [finding.id, finding]));
        for (const { id, score, message, isBlocking } of converge(round).stands) {
          const known = before.get(id);
          expect(score).toBeGreaterThanOrEqual(known?.score ?? 0);
          expect(isBlocking || known?.isBlocking === false).toBe(true);
          const [words, isWorse] = [round.found.map((found) => found.message), score > (known?.score ?? 0)];
          expect(isWorse ? words : [known?.message]).toContain(message);
        }
      }),
    );
  });

  it("never touches a finding that was waived, nor one that was conceded unless its score is 9 or 10 now", () => {
    fc.assert(
      fc.property(anyRound, (round) => {
        const result = converge(round);
        const settled = new Map(result.settled.map(({ id, state }) => [id, state]));
        const anew = new Map(raised(result).map(({ id, score }) => [id, score]));
        const conceded = new Set(round.known.filter((one) => isPrecedent(one, "conceded")).map(({ id }) => id));
        for (const { id, state } of round.known.filter((one) => isPrecedent(one))) {
          const isRaised = conceded.has(id) && (anew.get(id) ?? 0) >= 9;
          expect(settled.get(id)).toEqual(isRaised ? undefined : state);
        }
        const covered = result.dropped.filter((one) => one.why === "precedent" && conceded.has(one.known));
        expect(covered.filter(({ finding }) => finding.score >= 9)).toEqual([]);
      }),
    );
  });
});
