// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { managedComments, reactionsOn } from "#harness/sights.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;
const commanded = { merge: { when: "on_command", requireCI: false } } as const;
const queued = { merge: { when: "when_approved", requireCI: false, how: "queue" } } as const;

async function opened(harness: Harness): Promise<PullRef> {
  const pull = await harness.open();
  await harness.settle();
  await harness.pass(minuteMs);
  return pull;
}

/** Something happens between Drover's look and its merge. */
function meanwhile(happens: () => Promise<unknown>): (forge: Forge) => Forge {
  return (forge) => ({
    ...forge,
    merge: async (request) => {
      await happens();
      return await forge.merge(request);
    },
  });
}

async function nothingHappens(): Promise<unknown> {
  return undefined;
}

describe.each(manners)("a merge on a %s", (manner) => {
  it.each([merging, queued])("of a head that moves between look and merge does not happen (%o)", async (rules) => {
    let moves = nothingHappens;
    const harness = await buildHarness({
      manner,
      rules,
      parts: ({ forge }) => ({ forge: meanwhile(() => moves())(forge) }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    const approved = harness.headOf(pull);
    moves = () => harness.push(pull, { "src/lexer.ts": "export const words = 9;\n" });
    await harness.pass(5 * minuteMs);
    expect(harness.headOf(pull)).not.toBe(approved);
    expect(harness.look(pull).merged).toBeNull();
    expect(harness.faults.callsOf("merge_pull")).toBe(1);
  });

  it("waits while it is not known whether there is a conflict", async () => {
    const harness = await buildHarness({ manner, rules: merging, quirks: { mergeabilityDelayMs: 3 * minuteMs } });
    const pull = await harness.open();
    await harness.settle();
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(2 * minuteMs);
    expect(harness.faults.callsOf("merge_pull")).toBe(0);
    await harness.pass(3 * minuteMs);
    expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
  });

  it("that the forge puts off is asked for again, more and more seldom, and happens once", async () => {
    let refusals = 3;
    const harness = await buildHarness({
      manner,
      rules: merging,
      parts: ({ forge }) => ({
        forge: {
          ...forge,
          merge: async (request) =>
            refusals-- > 0 ? { kind: "not_now", why: "Please try again later" } : await forge.merge(request),
        },
      }),
    });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(10 * minuteMs);
    expect(refusals).toBeLessThan(0);
    expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
    expect(harness.notices.filter(({ what }) => what.kind === "merged")).toHaveLength(1);
  });

  it("with a conflict does not happen, and the managed comment says whose turn it is", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const pull = await harness.open({ files: { "README.md": "# Ours\n" } });
    await harness.as(harness.mia).push({
      repository: harness.repository,
      branch: "main",
      changes: { "README.md": "# Theirs\n" },
      message: "Theirs",
    });
    await harness.settle();
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(3 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(managedComments(harness, pull)[0]?.body).toMatch(/Mergeable \| .*conflict/);
  });

  it("asked for before a push is void after it", async () => {
    const harness = await buildHarness({ manner, rules: commanded });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(2 * secondMs);
    const merge = await harness.as(harness.mia).comment(pull, "@drover merge");
    await harness.clock.advance(2 * secondMs);
    await harness.push(pull, { "src/lexer.ts": "export const words = 10;\n" });
    await harness.pass(2 * secondMs);
    await harness.as(harness.rita).unreact(pull, "+1");
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(reactionsOn(harness, pull, merge)).toHaveLength(1);
  });

  it("asked for by the author without write permission does not happen", async () => {
    const harness = await buildHarness({ manner, rules: commanded });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    const merge = await harness.as(harness.ada).comment(pull, "@drover merge");
    await harness.pass(5 * minuteMs);
    expect(reactionsOn(harness, pull, merge)).toEqual(["confused"]);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("that waits in the queue is taken out by a hold", async () => {
    const harness = await buildHarness({ manner, rules: queued, quirks: { mergeabilityDelayMs: 0 } });
    const pull = await opened(harness);
    harness.faults.always(({ endpoint }) => endpoint === "merge_pull", { kind: "timeout", isApplied: false });
    await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(minuteMs);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.pass(minuteMs);
    harness.faults.clear();
    await harness.pass(10 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });

  it("lands two pulls of one branch one after the other", async () => {
    const harness = await buildHarness({ manner, rules: queued });
    harness.hire();
    const pulls = [
      await harness.open({ branch: "one" }),
      await harness.open({ branch: "two", files: { "a.md": "a\n" } }),
    ];
    await harness.settle();
    for (const pull of pulls) await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(10 * minuteMs);
    for (const pull of pulls) expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
  });

  it("of a draft, of a closed pull and of one that is held does not happen", async () => {
    const harness = await buildHarness({ manner, rules: merging });
    const draft = await harness.open({ branch: "one", isDraft: true });
    const closed = await harness.open({ branch: "two", files: { "a.md": "a\n" } });
    const held = await harness.open({ branch: "three", files: { "b.md": "b\n" } });
    await harness.as(harness.mia).comment(held, "@drover hold");
    await harness.settle();
    await harness.as(harness.ada).editPull(closed, { state: "closed" });
    for (const pull of [draft, closed, held]) await harness.as(harness.rita).react(pull, "+1");
    await harness.pass(5 * minuteMs);
    for (const pull of [draft, closed, held]) expect(harness.look(pull).merged).toBeNull();
    expect(harness.faults.callsOf("merge_pull")).toBe(0);
  });

  it("is off unless somebody switched it on", async () => {
    const harness = await buildHarness({ manner });
    const pull = await opened(harness);
    await harness.as(harness.rita).react(pull, "+1");
    const merge = await harness.as(harness.mia).comment(pull, "@drover merge");
    await harness.pass(5 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    expect(reactionsOn(harness, pull, merge)).toEqual(["confused"]);
  });
});
