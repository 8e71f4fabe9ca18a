import { describe, expect, it } from "vitest";
import type { Effect, EffectOutcome } from "#act/effect.ts";
import { ensureMerged } from "#act/ensure-merged.ts";
import { ensureOnce, type OnceCallbacks, settleOpenObligations } from "#act/ledger.ts";
import type { PullContext } from "#act/pull-context.ts";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { markOf } from "#core/effects/effect-mark.ts";
import { CommentId, InstanceId, ThreadId } from "#core/model/ids.ts";
import { after, instant, secondMs } from "#core/model/instant.ts";
import { type Dependencies, defaultDurations } from "#ports/dependencies.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { anObservation, someRepository as repository, sha, someRecords } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

/** The ledger alone, where no chance is needed to meet the one moment at which a guard matters. */

const instance = InstanceId.parse("drover");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name of a repository, made up here.
const ref = { repository, number: 1 } as unknown as PullRef;
const secret = makeBlockSecret(new Uint8Array(32).fill(7));
const effect: Effect = {
  key: "answer/1",
  kind: "answer",
  lane: "answer/1",
  head: null,
  why: { askedBy: "ada", rule: "a question gets one answer", inputs: [] },
  note: { kind: "thread_closed", thread: ThreadId.parse("noted") },
};

interface Posted {
  readonly id: CommentId;
  readonly at: number;
  readonly text: string;
}

/** A forge of one list, and workers that look at it. */
async function openWorld() {
  const clock = createVirtualClock(instant(1_767_258_000_000));
  const store = createMemoryStore();
  const queue = createMemoryQueue({ clock, random });
  const key = pullKeyOf(instance, ref);
  const sight = { changedAt: null, remarks: [], missingSince: null };
  await store.savePull({ pull: key, content: { records: someRecords(), blocks: {}, sight }, expectedVersion: 0 });
  const posted: Posted[] = [];
  const post = (text: string): CommentId => {
    const id = CommentId.parse(String(posted.length + 1));
    posted.push({ id, at: clock.now(), text });
    return id;
  };
  /** A worker that looks now, at a forge that shows what it was some time ago. */
  const turn = ({ lagMs = 0 } = {}): PullContext => {
    const mark = markOf(effect.key, { instance, repository: ref.repository.id, pull: ref.number }, secret);
    const shown = posted.filter(({ at }) => at <= clock.now() - lagMs);
    const texts = shown.map(({ id, at }) => ({ kind: "comment" as const, id, at: instant(at) }));
    const until = instant(clock.now() + defaultDurations.leaseMs);
    return {
      ref,
      key,
      seen: anObservation(),
      askedAt: clock.now(),
      headRef: "refs/pull/1/head",
      areNotesForeign: false,
      blocks: {
        accepted: [],
        refused: [],
        signedReviews: [],
        digest: () => "",
        fit: () => null,
        wasKept: () => false,
        rememberKept: () => undefined,
      },
      effects: texts.length === 0 ? new Map() : new Map([[mark, texts]]),
      leaseUntil: () => until,
      scheduleCheck: () => undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the ledger asks for no other parts.
      dependencies: {
        instance,
        secret,
        store,
        queue,
        clock,
        random,
        durations: defaultDurations,
        log,
      } as unknown as Dependencies,
    };
  };
  return { clock, store, queue, key, posted, post, turn };
}

const random = createSeededRandom(1);
const silent = (): void => undefined;
const log = { info: silent, warn: silent, error: silent };
const announce = async (): Promise<EffectOutcome> => ({ kind: "done", result: null });
const never = new Promise<never>(silent);
const saying = (post: (text: string) => string, words = "words"): OnceCallbacks => ({
  compose: async () => words,
  send: async (text) => post(text),
});

async function refuse(): Promise<never> {
  throw new ForgeError("refused", "not now", { isApplied: "no" });
}

async function loseAnswer(): Promise<never> {
  throw new ForgeError("unavailable", "no answer", { isApplied: "unknown" });
}

describe("the ledger", () => {
  it("lets only one of two workers send", async () => {
    const { posted, post, turn } = await openWorld();
    const both = [ensureOnce(turn(), effect, saying(post)), ensureOnce(turn(), effect, saying(post))];
    const kinds = (await Promise.all(both)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["done", "later"]);
    expect(posted.length).toBe(1);
  });

  it("keeps a worker that slept through its lease from undoing what the next one has begun", async () => {
    const { clock, store, key, posted, post, turn } = await openWorld();
    const sleepy = turn();
    const outcome = await ensureOnce(sleepy, effect, {
      compose: async () => {
        await clock.advance(defaultDurations.leaseMs + secondMs);
        void ensureOnce(turn(), effect, { ...saying(post), send: () => never });
        await clock.advance(secondMs);
        return "other words";
      },
      send: async (text) => post(text),
    });
    const [obligation] = await store.listObligations(key);
    expect(outcome.kind).toBe("later");
    expect(obligation).toMatchObject({ state: { kind: "sending" }, text: "words" });
    expect(posted).toEqual([]);
  });

  it("begins no call with too little of the lease left", async () => {
    const { clock, posted, post, turn } = await openWorld();
    const compose = async (): Promise<string> => {
      await clock.advance(defaultDurations.leaseMs - defaultDurations.marginMs + secondMs);
      return "words";
    };
    expect((await ensureOnce(turn(), effect, { ...saying(post), compose })).kind).toBe("later");
    expect(posted).toEqual([]);
  });

  it("waits until the forge must show what a dead worker may have sent", async () => {
    const { clock, posted, post, turn } = await openWorld();
    const send = async (text: string): Promise<never> => {
      await clock.sleep(15 * secondMs);
      post(text);
      return await never;
    };
    void ensureOnce(turn(), effect, { ...saying(post), send });
    await clock.advance(defaultDurations.leaseMs + secondMs);
    expect((await ensureOnce(turn({ lagMs: 60 * secondMs }), effect, saying(post))).kind).toBe("later");
    await clock.advance(defaultDurations.settleMs);
    expect(await ensureOnce(turn({ lagMs: 60 * secondMs }), effect, saying(post))).toEqual({
      kind: "done",
      result: "1",
    });
    expect(posted.length).toBe(1);
  });

  it("waits after an answer that never came, and finds what was sent", async () => {
    const { clock, posted, post, turn } = await openWorld();
    const send = async (text: string): Promise<never> => {
      post(text);
      throw new ForgeError("unavailable", "no answer", { isApplied: "unknown" });
    };
    expect((await ensureOnce(turn(), effect, { ...saying(post), send })).kind).toBe("later");
    await clock.advance(30 * secondMs);
    expect((await ensureOnce(turn({ lagMs: 60 * secondMs }), effect, saying(post))).kind).toBe("later");
    await clock.advance(defaultDurations.settleMs);
    expect((await ensureOnce(turn({ lagMs: 60 * secondMs }), effect, saying(post))).kind).toBe("done");
    expect(posted.length).toBe(1);
  });

  it("sends the words that it decided on first, however often it takes", async () => {
    const { clock, posted, post, turn } = await openWorld();
    await ensureOnce(turn(), effect, { ...saying(post), send: refuse });
    await clock.advance(3_600 * secondMs);
    await ensureOnce(turn(), effect, saying(post, "other words"));
    expect(posted.map(({ text }) => text)).toEqual(["words"]);
  });

  it("lets nothing of a lane overtake what may still arrive", async () => {
    const { clock, posted, post, turn } = await openWorld();
    await ensureOnce(turn(), effect, { ...saying(post), send: loseAnswer });
    const next: Effect = { ...effect, key: "answer/1 reworded" };
    expect((await ensureOnce(turn(), next, saying(post, "a better answer"))).kind).toBe("later");
    expect(posted).toEqual([]);
    await clock.advance(defaultDurations.settleMs);
    await settleOpenObligations(turn(), announce);
    expect((await ensureOnce(turn(), next, saying(post, "a better answer"))).kind).toBe("done");
  });

  it("calls for a tick, and does not ask again at once, where nobody wants what may have arrived", async () => {
    const { clock, queue, key, post, turn } = await openWorld();
    await ensureOnce(turn(), effect, { ...saying(post), send: loseAnswer });
    await clock.advance(defaultDurations.settleMs + secondMs);
    const next: Effect = { ...effect, key: "answer/1 reworded" };
    const outcome = await ensureOnce(turn(), next, saying(post, "a better answer"));
    expect(outcome).toMatchObject({ kind: "later", at: clock.now() + defaultDurations.retryMs });
    expect(await queue.find({ queue: "tick", key })).toBe("waiting");
  });

  it("calls for a tick where the sender of what may have arrived has died", async () => {
    const { clock, queue, key, post, turn } = await openWorld();
    const answer = saying(post);
    void ensureOnce(turn(), effect, { ...answer, send: () => never });
    await clock.advance(secondMs);
    const next: Effect = { ...effect, key: "answer/1 reworded" };
    expect(await ensureOnce(turn(), next, saying(post, "a better answer"))).toMatchObject({ kind: "later" });
    expect(await queue.find({ queue: "tick", key })).toBeUndefined();
    await clock.advance(defaultDurations.leaseMs);
    expect(await ensureOnce(turn(), next, saying(post, "a better answer"))).toMatchObject({ kind: "later" });
    expect(await queue.find({ queue: "tick", key })).toBe("waiting");
  });

  it("does not say again what was said and deleted before the note was taken", async () => {
    const { clock, store, posted, post, turn } = await openWorld();
    const dying = turn();
    const dependencies: Dependencies = { ...dying.dependencies, store: { ...store, savePull: () => never } };
    void ensureOnce({ ...dying, dependencies }, effect, saying(post));
    await clock.advance(defaultDurations.leaseMs + secondMs);
    // Somebody deletes it.
    posted.length = 0;
    expect(await ensureOnce(turn(), effect, saying(post))).toEqual({ kind: "done", result: "1" });
    expect(posted).toEqual([]);
  });

  it("takes the note that a crash kept it from taking", async () => {
    const { clock, store, key, post, turn } = await openWorld();
    const dying = turn();
    const dependencies: Dependencies = { ...dying.dependencies, store: { ...store, savePull: () => never } };
    void ensureOnce({ ...dying, dependencies }, effect, saying(post));
    await clock.advance(defaultDurations.leaseMs + secondMs);
    expect((await store.findPull(key))?.records.closedThreads).toEqual([]);
    await settleOpenObligations(turn(), announce);
    expect((await store.findPull(key))?.records.closedThreads).toEqual(["noted"]);
  });

  it("does not merge by what was read longer ago than a lease lasts", async () => {
    const { clock, turn } = await openWorld();
    const merged: string[] = [];
    const merge: Forge["merge"] = async ({ head }) => {
      merged.push(head);
      return { kind: "merged", commit: head };
    };
    const read = turn();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a merge asks for nothing else of the forge.
    const forge = { merge } as Forge;
    const context: PullContext = {
      ...read,
      leaseUntil: () => after(clock.now(), defaultDurations.leaseMs),
      dependencies: { ...read.dependencies, forge },
    };
    const action = { key: "merge/1", head: sha(1), baseBranch: "main", wish: null };
    await clock.advance(defaultDurations.leaseMs + secondMs);
    expect(await ensureMerged(context, action)).toMatchObject({ kind: "later" });
    expect(merged).toEqual([]);
    await ensureMerged({ ...context, askedAt: clock.now() }, action);
    expect(merged).toEqual([sha(1)]);
  });
});
