// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { managedComments } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(minuteMs);
  return pull;
}

/** How many approvals the reader of the managed comment is told of. */
function approvalLine(town: Town, pull: PullRef): string {
  const body = managedComments(town, pull)[0]?.body ?? "";
  return body.split("\n").find((line) => line.includes("Approval")) ?? "";
}

describe.each(manners)("an approval on a %s", (manner) => {
  it.each(["thumb", "review"] as const)("by %s that was followed by a push merges nothing", async (how) => {
    const town = await buildTown({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(town);
    if (how === "thumb") await town.as(town.rita).react(pull, "+1");
    else await town.as(town.rita).review(pull, { event: "approve", body: "Fine." });
    await town.pass(minuteMs);
    expect(approvalLine(town, pull)).toContain("✅");
    await town.push(pull, { "src/lexer.ts": "export const words = 8;\n" });
    const head = town.headOf(pull);
    await town.as(town.robin).report({ repository: town.repository, commit: head, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(approvalLine(town, pull)).toContain("⏳");
  });

  it("that a force-push re-points at the new head does not count for it", async () => {
    const town = await buildTown({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(town);
    const review = await town.as(town.rita).review(pull, { event: "approve", body: "Fine." });
    await town.pass(minuteMs);
    const [main] = town.sandbox.history.flatMap(({ what }) =>
      what.kind === "pushed" && what.branch === "main" ? [what.to] : [],
    );
    const evil = await town.as(town.ada).push({
      repository: town.repository,
      branch: "elsewhere",
      changes: { "src/lexer.ts": "export const words = 'evil';\n" },
      message: "Evil",
      ...(main === undefined ? {} : { from: main }),
    });
    await town.as(town.ada).forcePush({ repository: town.repository, branch: "work", to: evil });
    await town.as(town.robin).report({ repository: town.repository, commit: evil, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    const pointsAt = town.look(pull).reviews.find(({ id }) => id === review)?.commit;
    expect(pointsAt === evil).toBe(manner === "github");
    expect(town.headOf(pull)).toBe(evil);
    expect(town.look(pull).merged).toBeNull();
  });

  it("survives a rebase that leaves the patch as it was", async () => {
    const town = await buildTown({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(minuteMs);
    await town
      .as(town.mia)
      .push({ repository: town.repository, branch: "main", changes: { "NEWS.md": "News\n" }, message: "News" });
    const head = await town.as(town.ada).rebase(pull);
    await town.as(town.robin).report({ repository: town.repository, commit: head, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged?.head).toBe(head);
  });

  it.each(["otto", "ada", "bot", "robin"] as const)("by the thumb of %s is none", async (who) => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await opened(town);
    await town.as(town[who]).react(pull, "+1");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(approvalLine(town, pull)).toContain("⏳");
  });

  it("by the author is none, though they may write", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await town.open({ by: town.rita });
    await town.settle();
    await town.as(town.rita).react(pull, "+1");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("is gone when the thumb is", async () => {
    const town = await buildTown({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(minuteMs);
    await town.as(town.rita).unreact(pull, "+1");
    await town.pass(minuteMs);
    const commit = town.headOf(pull);
    await town.as(town.robin).report({ repository: town.repository, commit, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("by somebody whose permission was taken away since is none", async () => {
    const town = await buildTown({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(minuteMs);
    town.sandbox.setPermission({ repository: town.repository, account: town.rita, permission: "read" });
    const commit = town.headOf(pull);
    await town.as(town.robin).report({ repository: town.repository, commit, name: "ci", state: "passed" });
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("is not believed where the forge would not tell the permission", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await opened(town);
    town.faults.always(({ endpoint }) => endpoint === "get_permission", { kind: "server_error", isApplied: false });
    await town.as(town.rita).react(pull, "+1");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("makes one event of each change, however often it is looked at", async () => {
    const town = await buildTown({ manner });
    town.hire();
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    await town.as(town.rita).unreact(pull, "+1");
    await town.pass(3 * minuteMs);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    const changes = town.notices.flatMap(({ key, what }) =>
      what.kind === "approval_changed" ? [[key, what.event.to]] : [],
    );
    expect(changes.map(([, to]) => to)).toEqual(["pending", "approved", "pending", "approved"]);
    expect(new Set(changes.map(([key]) => key)).size).toBe(4);
  });

  it("that nobody gives for two hours makes one event of that, too", async () => {
    const town = await buildTown({ manner, rules: { approval: { pollMs: 5 * minuteMs } } });
    const pull = await opened(town);
    await town.pass(130 * minuteMs);
    await town.pass(60 * minuteMs);
    const changes = town.notices.flatMap(({ what }) => (what.kind === "approval_changed" ? [what.event.to] : []));
    expect(changes).toEqual(["pending", "timeout"]);
    expect(town.look(pull).merged).toBeNull();
    await town.pass(secondMs);
  });
});
