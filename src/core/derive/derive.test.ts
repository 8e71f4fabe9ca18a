import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derive } from "#core/derive/derive.ts";
import { FindingId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { ReviewRun } from "#core/model/records.ts";
import { plan } from "#core/plan/plan.ts";
import { anyObservation } from "#testing/any-observation.ts";
import {
  aFinding,
  aHead,
  anObservation,
  aPull,
  aReaction,
  aReview,
  aRun,
  at,
  rita,
  sha,
  someRecords,
} from "#testing/makers.ts";

/** The same facts as another listing of them: other order, elements repeated. */
function listedAnew(seen: Observation, seed: number): Observation {
  const shuffle = <Item>(items: readonly Item[]): readonly Item[] => {
    const doubled = seed % 2 === 0 ? [...items, ...items] : [...items];
    return doubled
      .map((item, index) => ({ item, rank: Math.imul(index + 1, seed * 2 + 1) >>> 3 }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ item }) => item);
  };
  const { records } = seen;
  return {
    ...seen,
    comments: shuffle(seen.comments),
    reviews: shuffle(seen.reviews),
    threads: shuffle(seen.threads),
    reactions: shuffle(seen.reactions),
    permissions: shuffle(seen.permissions),
    checks: shuffle(seen.checks),
    teams: shuffle(seen.teams),
    changedPaths: shuffle(seen.changedPaths),
    records: {
      ...records,
      heads: shuffle(records.heads),
      runs: shuffle(records.runs),
      findings: shuffle(records.findings),
      commands: shuffle(records.commands),
      questions: shuffle(records.questions),
      manualReviews: shuffle(records.manualReviews),
      approvals: shuffle(records.approvals),
      sessions: shuffle(records.sessions),
      closedThreads: shuffle(records.closedThreads),
    },
  };
}

function isWhole({ state }: ReviewRun): boolean {
  return state.kind === "completed" && state.coverage.unread.every(({ why }) => why === "excluded");
}

describe("derive", () => {
  it("does not care in which order, or how often, things are listed", () => {
    fc.assert(
      fc.property(anyObservation, fc.nat(1_000_000), (seen, seed) => {
        const anew = listedAnew(seen, seed);
        expect(derive(anew)).toEqual(derive(seen));
        expect(plan(anew, derive(anew))).toEqual(plan(seen, derive(seen)));
      }),
      { numRuns: 300 },
    );
  });

  it("never has a green gate over an open blocker or a head that was not read whole", () => {
    let green = 0;
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const { gate } = derive(seen);
        if (gate.state !== "success") return;
        green++;
        const { sha: head } = seen.pull.head;
        for (const { name } of seen.rules.reviews.roles) {
          const read = seen.records.runs.filter(
            (run) => run.role === name && run.head === head && run.baseBranch === seen.pull.base.branch,
          );
          const last = read
            .filter((run) => run.state.kind === "completed")
            .sort((a, b) => a.startedAt - b.startedAt)
            .at(-1);
          expect(last?.state).toMatchObject({ kind: "completed" });
          if (last?.state.kind !== "completed") return;
          // A head that was read whole stays so when a later look reads less of it.
          expect(read.filter(isWhole)).not.toEqual([]);
          const standing = new Set<string>(last.state.findings);
          const open = seen.records.findings.filter(
            (finding) =>
              finding.role === name &&
              finding.isBlocking &&
              standing.has(finding.id) &&
              !(finding.state.kind === "resolved" && finding.state.resolution.how === "waived"),
          );
          expect(open).toEqual([]);
        }
      }),
      { numRuns: 3000 },
    );
    expect(green).toBeGreaterThan(0);
  });

  it("is ready to merge only with a permitted person's approval that is newer than the head", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        if (derive(seen).merge.kind !== "ready") return;
        const signals = [
          ...seen.reactions.filter(({ content }) => content === "+1").map((one) => one.author.login),
          ...seen.reviews.filter(({ state }) => state === "approved").map((one) => one.author.login),
        ];
        expect(signals.some((login) => login === "rita" || login === "mia")).toBe(true);
        expect(seen.pull).toMatchObject({ state: "open", isDraft: false, mergeability: { kind: "mergeable" } });
        expect(seen.checks.map(({ state }) => state)).toEqual(["passed"]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** A look that left one finding standing. */
const found = (id: string) => ({
  kind: "completed" as const,
  at: at(5),
  coverage: { filesRead: 1, unread: [] },
  findings: [FindingId.parse(id)],
  summary: "",
});

describe("a head that comes back by force-push", () => {
  const wasFixed = aFinding("f1", { state: { kind: "resolved", resolution: { how: "fixed", head: sha(2) } } });
  it("has its defect again, although a later head was without it", () => {
    const records = someRecords({
      heads: [aHead(), aHead({ sha: sha(2), since: at(10) }), aHead({ since: at(20) })],
      runs: [aRun({ state: found("f1") }), aRun({ head: sha(2), startedAt: at(11) })],
      findings: [wasFixed],
    });
    expect(derive(anObservation({ records })).gate).toMatchObject({ state: "failure", why: "blockers" });
  });

  it("is not blamed for a defect that only the other head had", () => {
    const records = someRecords({
      heads: [aHead(), aHead({ sha: sha(2), since: at(10) }), aHead({ since: at(20) })],
      runs: [aRun(), aRun({ head: sha(2), startedAt: at(11), state: found("f1") })],
      findings: [aFinding("f1", { head: sha(2) })],
    });
    expect(derive(anObservation({ records })).gate).toMatchObject({ state: "success" });
  });
});

const approvedAt = (since: Observation["pull"]["base"]["since"]) =>
  derive(
    anObservation({
      pull: aPull({ base: { branch: "next", since } }),
      reactions: [aReaction(rita, "+1", 3)],
      reviews: [aReview(1, rita, "approved", 3)],
      records: someRecords(),
    }),
  ).approval.status;

describe("the time since which a head stands", () => {
  it("is not that of the push alone: an approval before the base branch was changed does not count", () => {
    expect(approvedAt(at(4))).not.toBe("approved");
    expect(approvedAt(null)).not.toBe("approved");
  });

  it("is that of the push where the base branch was always the same", () => {
    expect(approvedAt(at(0))).toBe("approved");
  });
});
