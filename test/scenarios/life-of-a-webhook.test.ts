import { describe, expect, it } from "vitest";
import type { Action } from "#core/decision/action.ts";
import { derive } from "#core/derive/derive.ts";
import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import { plan } from "#core/plan/plan.ts";
import type { SandboxDelivery, SandboxManner } from "#forges/sandbox/sandbox.ts";
import { buildHarness, type Harness, manners } from "#harness/harness.ts";
import { managedComments, reactionsOn } from "#harness/sights.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { applyAction } from "#testing/fake-pull/apply-action.ts";
import { passTime, say } from "#testing/fake-pull/fake-pull.ts";
import { aCheck, aHead, anObservation, aReaction, aRun, rita, someRecords, someRules } from "#testing/makers.ts";

/** A pull with everything met: reviewed, green, approved, merging switched on. */
function readyPull(): Observation {
  return anObservation({
    rules: someRules({ merge: { when: "when_approved" } }),
    reactions: [aReaction(rita, "+1", 10)],
    checks: [aCheck("passed")],
    records: someRecords({ heads: [aHead()], runs: [aRun()] }),
  });
}

function planFor(seen: Observation): readonly Action[] {
  return plan(seen, derive(seen));
}

function kindsOf(actions: readonly Action[]): readonly string[] {
  return actions.map(({ kind }) => kind);
}

describe("the life of a webhook in the core", () => {
  const held = passTime(say(passTime(readyPull(), minuteMs), rita, "@drover hold"), minuteMs);

  it("would merge, were it not for the hold", () => {
    expect(kindsOf(planFor(readyPull()))).toContain("merge");
    expect(kindsOf(planFor(held))).not.toContain("merge");
  });

  it("derives who said it, that they may, and what follows", () => {
    const situation = derive(held);
    expect(situation.commands).toMatchObject([
      { by: { login: "rita" }, command: { word: "hold" }, standing: { kind: "fresh", ruling: { kind: "obey" } } },
    ]);
    expect(situation.hold).toMatchObject({ kind: "held", by: "rita" });
    expect(situation.merge).toEqual({ kind: "waiting", missing: ["no_hold"] });
    expect(situation.flightPlan.turn).toBe("maintainers");
  });

  it("plans one answer, a managed comment that says so, and the next look", () => {
    const actions = planFor(held);
    expect(actions.find(({ kind }) => kind === "acknowledge")).toMatchObject({
      record: { word: "hold", outcome: "obeyed" },
      reaction: "+1",
    });
    expect(actions.find(({ kind }) => kind === "update_managed_comment")).toMatchObject({
      text: expect.stringContaining("held by `rita`"),
    });
    expect(kindsOf(actions).at(-1)).toBe("look_again");
  });

  it("loses nothing when the worker dies after any of the actions", () => {
    const actions = planFor(held).filter(({ kind }) => kind !== "look_again");
    for (let done = 0; done <= actions.length; done++) {
      const after = actions.slice(0, done).reduce(applyAction, held);
      const left = planFor(after).filter(({ kind }) => kind !== "look_again");
      expect(left.map(({ key }) => key)).toEqual(actions.slice(done).map(({ key }) => key));
    }
  });

  it("changes nothing when it is delivered a second time", () => {
    const acted = planFor(held).reduce(applyAction, held);
    expect(kindsOf(planFor(acted))).toEqual(["look_again"]);
  });
});

/** A harness in which webhooks are kept until the story delivers them, with a pull that lacks nothing but a green check. */
async function waitingHarness(manner: SandboxManner): Promise<{
  readonly harness: Harness;
  readonly pull: PullRef;
  readonly kept: SandboxDelivery[];
  readonly deliver: (delivery: SandboxDelivery | undefined) => void;
}> {
  const kept: SandboxDelivery[] = [];
  const pokes: ((pull: PullRef) => void)[] = [];
  const harness = await buildHarness({
    manner,
    rules: { merge: { when: "when_approved" }, approval: { pollMs: 20 * minuteMs } },
    network: (delivery, poke) => {
      kept.push(delivery);
      pokes.push(poke);
    },
  });
  const pull = await harness.open();
  await harness.settle();
  await harness.as(harness.mia).react(pull, "+1");
  await harness.settle();
  await harness.pass(minuteMs);
  return {
    harness,
    pull,
    kept,
    // The intake: what a delivery says is where to look, and no more than that is used.
    deliver: (delivery) => {
      if (delivery !== undefined) pokes.at(-1)?.(delivery.pull);
    },
  };
}

async function passCheck(harness: Harness, pull: PullRef): Promise<void> {
  const commit = harness.headOf(pull);
  await harness.as(harness.robin).report({ repository: harness.repository, commit, name: "ci", state: "passed" });
}

describe.each(manners)("the life of a webhook of a %s", (manner) => {
  it("is a delivery, a poke, a tick, effects, and a second delivery that changes nothing", async () => {
    const { harness, pull, kept, deliver } = await waitingHarness(manner);
    const key = pullKeyOf(harness.dependencies.instance, pull);

    const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
    const delivery = kept.at(-1);
    expect(delivery).toMatchObject({ event: "issue_comment", action: "created", pull });

    // Poke: one entry for the pull, however often it is poked.
    deliver(delivery);
    deliver(delivery);
    await harness.clock.advance(0);
    expect(await harness.dependencies.queue.find({ queue: "tick", key })).toBe("waiting");
    expect(await harness.dependencies.queue.nextDue(["tick"])).toBe(harness.machine.now());

    // Tick: observe, derive, plan, act.
    await harness.clock.advance(secondMs);
    const before = harness.reports.length;
    await harness.pass(0);
    const report = harness.reports[before];
    if (report?.kind !== "looked") throw new Error("it was looked at");
    expect(report.seen.comments.map(({ id }) => id)).toContain(hold);
    expect(report.situation.hold).toMatchObject({ kind: "held", by: "rita" });
    const did = report.did.map(({ action, outcome }) => [action.kind, outcome.kind]);
    expect(did).toContainEqual(["acknowledge", "done"]);
    expect(did).toContainEqual(["update_managed_comment", "done"]);
    expect(did.map(([kind]) => kind)).not.toContain("merge");

    // Effects: there for people, in the ledger, and in the records.
    expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
    expect(managedComments(harness, pull)[0]?.body).toContain("held by `rita`");
    const entry = (await harness.ledger(pull)).find(({ kind }) => kind === "reaction");
    expect(entry).toMatchObject({
      effect: `acknowledge/${hold}#reaction`,
      why: { askedBy: harness.rita.id, rule: "command hold: obeyed", inputs: [hold] },
      state: { kind: "done", isNoted: true },
      attempts: 1,
    });
    const stored = await harness.dependencies.store.findPull(key);
    expect(stored?.records.commands).toMatchObject([{ comment: hold, word: "hold", outcome: "obeyed" }]);

    // It comes to rest: what the records say stands on the pull as well, and nothing else is left to do.
    await harness.pass(2 * minuteMs);
    const written = harness.sandbox.history.length;
    deliver(delivery);
    const looks = harness.reports.length;
    await harness.pass(2 * minuteMs);
    const again = harness.reports[looks];
    expect(again?.kind === "looked" && again.did.map(({ action }) => action.kind)).toEqual(["look_again"]);
    expect(harness.sandbox.history).toHaveLength(written);
  });

  it("keeps the pull from being merged until somebody lets it go", async () => {
    const { harness, pull, deliver, kept } = await waitingHarness(manner);
    await harness.as(harness.rita).comment(pull, "@drover hold");
    deliver(kept.at(-1));
    await harness.pass(minuteMs);
    await passCheck(harness, pull);
    await harness.settle();
    await harness.pass(30 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
    await harness.as(harness.rita).comment(pull, "@drover unhold");
    deliver(kept.at(-1));
    await harness.pass(minuteMs);
    expect(harness.look(pull).merged?.head).toBe(harness.headOf(pull));
  });

  it("can be lost: the poller makes the same entry", async () => {
    const { harness, pull } = await waitingHarness(manner);
    const hold = await harness.as(harness.rita).comment(pull, "@drover hold");
    await harness.settle();
    expect(reactionsOn(harness, pull, hold)).toEqual(["+1"]);
    await passCheck(harness, pull);
    await harness.settle();
    await harness.pass(30 * minuteMs);
    expect(harness.look(pull).merged).toBeNull();
  });
});
