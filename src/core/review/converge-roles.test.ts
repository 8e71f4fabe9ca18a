import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Finding, RawFinding } from "#core/model/finding.ts";
import { CommentId, FindingId } from "#core/model/ids.ts";
import type { Coverage } from "#core/model/records.ts";
import { type Convergence, converge, knownAfter } from "#core/review/converge.ts";
import type { ReviewRound } from "#core/review/review-round.ts";
import { aFinding, at, sha, someRules } from "#testing/makers.ts";

const reported = z.object(RawFinding.shape);
const everything: Coverage = { filesRead: 3, unread: [] };
const nothing: Coverage = { filesRead: 0, unread: [] };
const allButTheFile: Coverage = { filesRead: 2, unread: [{ path: "src/parser.ts", why: "budget" }] };
const gone = new Set([FindingId.parse("k")]);

function found(over: Partial<RawFinding> = {}): RawFinding {
  return reported.parse(aFinding("-", over));
}

/** A later round, in which `general` and `security` are in force and nothing changed. */
function laterRound(
  known: readonly Finding[],
  { read, ...over }: Partial<ReviewRound> & { readonly read: Readonly<Record<string, Coverage>> },
): Convergence {
  return converge({
    known,
    found: [],
    head: sha(2),
    round: 2,
    foundAt: at(30),
    rules: someRules().reviews,
    changed: { kind: "parts", paths: new Map() },
    gone: new Set(),
    coverage: new Map(Object.entries(read)),
    renames: new Map(),
    deterministicRoles: new Set(),
    rolesInForce: new Set(["general", "security"]),
    ...over,
  });
}

/** What became of the finding `k`. */
function fate({ stands, fixed }: Convergence): readonly string[] {
  return [...stands.map(({ id }) => `${id} stands`), ...fixed.map(({ id }) => `${id} is fixed`)];
}

describe("a known finding of a role that is not in force any more", () => {
  const known = [aFinding("k", { role: "retired" })];

  it("is fixed when its code is gone and any role has read its file", () => {
    expect(fate(laterRound(known, { gone, read: { general: everything } }))).toEqual(["k is fixed"]);
  });

  it("is fixed by one role that has read its file, whatever the others have not read", () => {
    const read = { general: allButTheFile, security: everything };
    expect(fate(laterRound(known, { gone, read }))).toEqual(["k is fixed"]);
  });

  it("would stand if its role were in force: the others do not speak for it", () => {
    const rolesInForce = new Set(["general", "retired"]);
    expect(fate(laterRound(known, { gone, rolesInForce, read: { general: everything } }))).toEqual(["k stands"]);
  });

  it.each<[string, Readonly<Record<string, Coverage>>]>([
    ["nobody has looked", {}],
    ["nobody has read anything", { general: nothing }],
    ["nobody has read its file", { general: allButTheFile, security: nothing }],
  ])("stands when %s", (_case, read) => {
    const deterministicRoles = new Set(["general", "security", "retired"]);
    expect(fate(laterRound(known, { gone, deterministicRoles, read }))).toEqual(["k stands"]);
  });

  it.each([
    [["general", "retired"], "k is fixed"],
    [["general"], "k stands"],
    [["retired"], "k stands"],
  ])("is fixed by mere silence only where old and new role always say the same: %j", (roles, expected) => {
    const deterministicRoles = new Set(roles);
    expect(fate(laterRound(known, { deterministicRoles, read: { general: everything } }))).toEqual([expected]);
  });

  it("is taken over by the role that reports it now", () => {
    const { stands } = laterRound(known, { found: [found()], read: { general: everything } });
    expect(stands).toEqual([aFinding("k", { role: "general" })]);
  });
});

describe("a known finding that another role reports", () => {
  const known = [aFinding("k")];

  it("belongs to the role that reports it, so that the silence of the first at this head does not fix it", () => {
    const said = laterRound(known, { found: [found({ role: "security" })], read: { security: everything } });
    expect(said.stands).toEqual([aFinding("k", { role: "security" })]);
    const deterministicRoles = new Set(["general", "security"]);
    const after = knownAfter(said);
    expect(fate(laterRound(after, { deterministicRoles, read: { general: everything } }))).toEqual(["k stands"]);
    expect(fate(laterRound(after, { deterministicRoles, read: { security: everything } }))).toEqual(["k is fixed"]);
  });

  it.each([
    [5, 5, "house"],
    [6, 5, "security"],
    [5, 6, "house"],
  ])("belongs to the worst report of a round, else to the first by name: %i, %i", (security, house, owner) => {
    const reports = [found({ role: "security", score: security }), found({ role: "house", score: house })];
    for (const order of [reports, reports.toReversed()]) {
      expect(laterRound(known, { found: order, read: {} }).stands).toMatchObject([{ id: "k", role: owner }]);
    }
  });

  it("and that was conceded keeps the role that it had", () => {
    const resolution = { how: "conceded", reply: CommentId.parse("9") } as const;
    const settled = [aFinding("k", { state: { kind: "resolved", resolution } })];
    expect(laterRound(settled, { found: [found({ role: "security" })], read: {} }).settled).toEqual(settled);
  });
});
