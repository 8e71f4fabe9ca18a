// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { managedComments } from "#harness/sights.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

/** How many approvals the reader of the managed comment is told of. */
function approvalLine(harness: Harness, pull: PullRef): string {
  const body = managedComments(harness, pull)[0]?.body ?? "";
  return body.split("\n").find((line) => line.includes("Approval")) ?? "";
}

describe.each(manners)("an approval on a %s", (manner) => {
  it.each(["thumb", "review"] as const)("by %s that was followed by a push merges nothing", async (how) => {
    const harness = await buildHarness({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(harness);
    if (how === "thumb") await harness.as(harness.rita).react(pull, "+1");
    else await harness.as(harness.rita).review(pull, { event: "approve", body: "Fine." });
    await harness.pass(minuteMs);
    expect(approvalLine(harness, pull)).toContain("✅");
    await harness.push(pull, { "src/lexer.ts": "export const words = 8;\n" });
    const head = harness.headOf(pull);
    await harness
      .as(harness.robin)
      .report({ repository: harness.repository, commit: head, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(approvalLine(harness, pull)).toContain("⏳");
  });

  it("that a force-push re-points at the new head does not count for it", async () => {
    const harness = await buildHarness({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(harness);
    const review = await harness.as(harness.rita).review(pull, { event: "approve", body: "Fine." });
    await harness.pass(minuteMs);
    const [main] = harness.sandbox.history.flatMap(({ what }) =>
      what.kind === "pushed" && what.branch === "main" ? [what.to] : [],
    );
    const evil = await harness.as(harness.ada).push({
      repository: harness.repository,
      branch: "elsewhere",
      changes: { "src/lexer.ts": "export const words = 'evil';\n" },
      message: "Evil",
      ...(main === undefined ? {} : { from: main }),
    });
    await harness.as(harness.ada).forcePush({ repository: harness.repository, branch: "work", to: evil });
    await harness
      .as(harness.robin)
      .report({ repository: harness.repository, commit: evil, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    const pointsAt = harness.look(pull).reviews.find(({ id }) => id === review)?.commit;
    expect(pointsAt === evil).toBe(manner === "github");
    expect(harness.headOf(pull)).toBe(evil);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("survives a rebase that leaves the patch as it was", async () => {
    const harness = await buildHarness({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(minuteMs);
    await harness
      .as(harness.mia)
      .push({ repository: harness.repository, branch: "main", changes: { "NEWS.md": "News\n" }, message: "News" });
    const head = await harness.as(harness.ada).rebase(pull);
    await harness
      .as(harness.robin)
      .report({ repository: harness.repository, commit: head, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged?.head).toBe(head);
  });

  it.each(["otto", "ada", "bot", "robin"] as const)("by the thumb of %s is none", async (who) => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await opened(harness);
    await harness.as(harness[who]).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(approvalLine(harness, pull)).toContain("⏳");
  });

  it("by the author is none, though they may write", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await harness.open({ by: harness.rita });
    await harness.settle();
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("is gone when the thumb is", async () => {
    const harness = await buildHarness({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(minuteMs);
    await harness.as(harness.rita).unreact(pull, "+1");
    await harness.pass(minuteMs);
    const commit = harness.headOf(pull);
    await harness.as(harness.robin).report({ repository: harness.repository, commit, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("by somebody whose permission was taken away since is none", async () => {
    const harness = await buildHarness({ manner, rules: { ...merging, merge: { ...merging.merge, requireCI: true } } });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(minuteMs);
    harness.sandbox.setPermission({ repository: harness.repository, account: harness.rita, permission: "read" });
    const commit = harness.headOf(pull);
    await harness.as(harness.robin).report({ repository: harness.repository, commit, name: "ci", state: "passed" });
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("is not believed where the forge would not tell the permission", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await opened(harness);
    harness.faults.always(({ endpoint }) => endpoint === "get_permission", { kind: "server_error", isApplied: false });
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("makes one event of each change, however often it is looked at", async () => {
    const harness = await buildHarness({ manner });
    harness.hire();
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    await harness.as(harness.rita).unreact(pull, "+1");
    await harness.pass(3 * minuteMs);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    const changes = harness.notices.flatMap(({ key, what }) =>
      what.kind === "approval_changed" ? [[key, what.event.to]] : [],
    );
    expect(changes.map(([, to]) => to)).toEqual(["pending", "approved", "pending", "approved"]);
    expect(new Set(changes.map(([key]) => key)).size).toBe(4);
  });

  it("that nobody gives for two hours makes one event of that, too", async () => {
    const harness = await buildHarness({ manner, rules: { approval: { pollMs: 5 * minuteMs } } });
    const pull = await opened(harness);
    await harness.pass(130 * minuteMs);
    await harness.pass(60 * minuteMs);
    const changes = harness.notices.flatMap(({ what }) => (what.kind === "approval_changed" ? [what.event.to] : []));
    expect(changes).toEqual(["pending", "timeout"]);
    expect(harness.look(pull).merged).toBeNull();
    await harness.pass(secondMs);
  });
});
