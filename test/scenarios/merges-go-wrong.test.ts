// @module-tag concurrency

import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { managedComments, reactionsOn } from "#town/sights.ts";
import { buildTown, manners, type Town } from "#town/town.ts";

const merging = { merge: { when: "when_approved", requireCI: false } } as const;
const commanded = { merge: { when: "on_command", requireCI: false } } as const;
const queued = { merge: { when: "when_approved", requireCI: false, how: "queue" } } as const;

async function opened(town: Town): Promise<PullRef> {
  const pull = await town.open();
  await town.settle();
  await town.pass(minuteMs);
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
    const town = await buildTown({
      manner,
      rules,
      parts: ({ forge }) => ({ forge: meanwhile(() => moves())(forge) }),
    });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    const approved = town.headOf(pull);
    moves = () => town.push(pull, { "src/lexer.ts": "export const words = 9;\n" });
    await town.pass(5 * minuteMs);
    expect(town.headOf(pull)).not.toBe(approved);
    expect(town.look(pull).merged).toBeNull();
    expect(town.faults.callsOf("merge_pull")).toBe(1);
  });

  it("waits while it is not known whether there is a conflict", async () => {
    const town = await buildTown({ manner, rules: merging, quirks: { mergeabilityDelayMs: 3 * minuteMs } });
    const pull = await town.open();
    await town.settle();
    await town.as(town.rita).react(pull, "+1");
    await town.pass(2 * minuteMs);
    expect(town.faults.callsOf("merge_pull")).toBe(0);
    await town.pass(3 * minuteMs);
    expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
  });

  it("that the forge puts off is asked for again, more and more seldom, and happens once", async () => {
    let refusals = 3;
    const town = await buildTown({
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
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(10 * minuteMs);
    expect(refusals).toBeLessThan(0);
    expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
    expect(town.notices.filter(({ what }) => what.kind === "merged")).toHaveLength(1);
  });

  it("with a conflict does not happen, and the managed comment says whose turn it is", async () => {
    const town = await buildTown({ manner, rules: merging });
    const pull = await town.open({ files: { "README.md": "# Ours\n" } });
    await town
      .as(town.mia)
      .push({ repository: town.repository, branch: "main", changes: { "README.md": "# Theirs\n" }, message: "Theirs" });
    await town.settle();
    await town.as(town.rita).react(pull, "+1");
    await town.pass(3 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(managedComments(town, pull)[0]?.body).toMatch(/Mergeable \| .*conflict/);
  });

  it("asked for before a push is void after it", async () => {
    const town = await buildTown({ manner, rules: commanded });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    await town.pass(2 * secondMs);
    const merge = await town.as(town.mia).comment(pull, "@drover merge");
    await town.clock.advance(2 * secondMs);
    await town.push(pull, { "src/lexer.ts": "export const words = 10;\n" });
    await town.pass(2 * secondMs);
    await town.as(town.rita).unreact(pull, "+1");
    await town.as(town.rita).react(pull, "+1");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(reactionsOn(town, pull, merge)).toHaveLength(1);
  });

  it("asked for by the author without write permission does not happen", async () => {
    const town = await buildTown({ manner, rules: commanded });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    const merge = await town.as(town.ada).comment(pull, "@drover merge");
    await town.pass(5 * minuteMs);
    expect(reactionsOn(town, pull, merge)).toEqual(["confused"]);
    expect(town.look(pull).merged).toBeNull();
  });

  it("that waits in the queue is taken out by a hold", async () => {
    const town = await buildTown({ manner, rules: queued, quirks: { mergeabilityDelayMs: 0 } });
    const pull = await opened(town);
    town.faults.always(({ endpoint }) => endpoint === "merge_pull", { kind: "timeout", isApplied: false });
    await town.as(town.rita).react(pull, "+1");
    await town.pass(minuteMs);
    await town.as(town.rita).comment(pull, "@drover hold");
    await town.pass(minuteMs);
    town.faults.clear();
    await town.pass(10 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
  });

  it("lands two pulls of one branch one after the other", async () => {
    const town = await buildTown({ manner, rules: queued });
    town.hire();
    const pulls = [await town.open({ branch: "one" }), await town.open({ branch: "two", files: { "a.md": "a\n" } })];
    await town.settle();
    for (const pull of pulls) await town.as(town.rita).react(pull, "+1");
    await town.pass(10 * minuteMs);
    for (const pull of pulls) expect(town.look(pull).merged?.head).toBe(town.headOf(pull));
  });

  it("of a draft, of a closed pull and of one that is held does not happen", async () => {
    const town = await buildTown({ manner, rules: merging });
    const draft = await town.open({ branch: "one", isDraft: true });
    const closed = await town.open({ branch: "two", files: { "a.md": "a\n" } });
    const held = await town.open({ branch: "three", files: { "b.md": "b\n" } });
    await town.as(town.mia).comment(held, "@drover hold");
    await town.settle();
    await town.as(town.ada).editPull(closed, { state: "closed" });
    for (const pull of [draft, closed, held]) await town.as(town.rita).react(pull, "+1");
    await town.pass(5 * minuteMs);
    for (const pull of [draft, closed, held]) expect(town.look(pull).merged).toBeNull();
    expect(town.faults.callsOf("merge_pull")).toBe(0);
  });

  it("is off unless somebody switched it on", async () => {
    const town = await buildTown({ manner });
    const pull = await opened(town);
    await town.as(town.rita).react(pull, "+1");
    const merge = await town.as(town.mia).comment(pull, "@drover merge");
    await town.pass(5 * minuteMs);
    expect(town.look(pull).merged).toBeNull();
    expect(reactionsOn(town, pull, merge)).toEqual(["confused"]);
  });
});
