import type { Forge } from "#ports/forge.ts";
import { type Git, GitError, type Mirror } from "#ports/git.ts";
import type { Notifier } from "#ports/notifier.ts";
import type { Queue } from "#ports/queue.ts";
import type { ObligationChange, Store } from "#ports/store.ts";
import type { Border } from "./border.ts";
import { type Manner, parked } from "./parked.ts";
import { type Installation, noteDetail, type World } from "./world.ts";

/** Each port of a worker, with its calls beyond the border. Reads that cost nothing to lose are not parked at all. */

const forgeWrite: Manner = { kind: "write", ms: [20, 900] };
const forgeRead: Manner = { kind: "read", ms: [20, 700] };

export function parkedForge(forge: Forge, border: Border): Forge {
  return parked(forge, {
    name: "forge",
    border,
    manners: {
      fetchPull: forgeRead,
      fetchOpenPulls: forgeRead,
      createComment: forgeWrite,
      editComment: forgeWrite,
      addReaction: forgeWrite,
      claimPull: forgeWrite,
      releasePull: forgeWrite,
      submitReview: forgeWrite,
      editReview: forgeWrite,
      dismissReview: forgeWrite,
      discardPendingReview: forgeWrite,
      replyInThread: forgeWrite,
      resolveThread: forgeWrite,
      setGate: forgeWrite,
      editLabels: forgeWrite,
      requestReviews: forgeWrite,
      merge: forgeWrite,
    },
  });
}

const storeWrite: Manner = { kind: "write", ms: [0, 0] };
const slowStoreWrite: Manner = { kind: "write", ms: [1, 20] };

export function parkedStore({ store, kinds }: Pick<Installation, "store" | "kinds">, border: Border): Store {
  const effectOf = (request: unknown): string => kinds.get(field(request, "key")) ?? "unheard_of";
  return parked(store, {
    name: "store",
    border,
    manners: {
      savePull: slowStoreWrite,
      ensureObligation: { ...storeWrite, detail: (made) => learnKind(kinds, made) },
      leaseObligation: { ...slowStoreWrite, detail: effectOf },
      changeObligation: {
        ...slowStoreWrite,
        detail: (request) => `${changeOf(request)} ${effectOf(request)}`,
      },
      saveStep: slowStoreWrite,
      forgetSteps: storeWrite,
      extendPause: storeWrite,
      saveDigests: storeWrite,
    },
  });
}

/** Crossings are named by what an effect is, which its key does not tell. */
function learnKind(kinds: Map<string, string>, made: unknown): string {
  const kind = field(made, "kind");
  kinds.set(field(made, "key"), kind);
  return kind;
}

function changeOf(request: unknown): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this port's own requests come here.
  const { change } = request as { readonly change: ObligationChange };
  return change.state?.kind ?? (change.text === undefined ? "lease" : "text");
}

function field(value: unknown, name: string): string {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : "";
}

const queueWrite: Manner = { kind: "write", ms: [0, 0] };

export function parkedQueue(installation: Installation, border: Border): Queue {
  return parked(
    livingQueue(() => installation.queue),
    {
      name: "queue",
      border,
      manners: {
        put: { ...queueWrite, detail: (entry) => field(entry, "queue") },
        putAll: queueWrite,
        claim: { ...queueWrite, ms: [1, 5] },
        extend: queueWrite,
        finish: { ...queueWrite, detail: (entry) => field(entry, "queue") },
        retry: { ...queueWrite, detail: (entry) => field(entry, "queue") },
        cancel: { ...queueWrite, detail: (entry) => field(entry, "queue") },
      },
    },
  );
}

function livingQueue(queue: () => Queue): Queue {
  return {
    put: (entry) => queue().put(entry),
    putAll: (entries) => queue().putAll(entries),
    claim: (request) => queue().claim(request),
    extend: (claimed, leaseMs) => queue().extend(claimed, leaseMs),
    finish: (claimed) => queue().finish(claimed),
    retry: (claimed, at) => queue().retry(claimed, at),
    quarantine: (claimed, why) => queue().quarantine(claimed, why),
    listQuarantined: () => queue().listQuarantined(),
    restore: (entry) => queue().restore(entry),
    cancel: (entry) => queue().cancel(entry),
    find: (entry) => queue().find(entry),
    nextDue: (queues) => queue().nextDue(queues),
    onWake: (listener) => queue().onWake(listener),
  };
}

/** Only what reaches the forge takes time; what a mirror holds is at hand. */
export function parkedGit(
  world: World,
  git: Git,
  { border, pushed }: { readonly border: Border; readonly pushed: Installation["pushed"] },
): Git {
  const mirrored = (mirror: Mirror): Mirror =>
    parked(troubled(world, mirror, pushed), {
      name: "git",
      border,
      manners: { fetchRefs: { kind: "read", ms: [10, 200] }, push: { kind: "write", ms: [20, 900] } },
    });
  return {
    ...git,
    ensureMirror: async (request) => mirrored(await git.ensureMirror(request)),
    findMirror: async (key) => {
      const mirror = await git.findMirror(key);
      return mirror === undefined ? undefined : mirrored(mirror);
    },
  };
}

/** A remote that cannot be reached, and a push of which nobody knows what became. */
function troubled(world: World, mirror: Mirror, pushed: Installation["pushed"]): Mirror {
  return {
    ...mirror,
    fetchRefs: async (request) => {
      if (world.weather.strikes("git_trouble")) throw new GitError("unavailable", "the remote does not answer");
      return await mirror.fetchRefs(request);
    },
    readFile: async (request) => {
      if (world.weather.strikes("git_trouble")) throw new GitError("unavailable", "the disk is full");
      return await mirror.readFile(request);
    },
    diff: async (request) => {
      if (world.weather.strikes("git_trouble")) throw new GitError("unavailable", "it took too long");
      return await mirror.diff(request);
    },
    push: async (request) => {
      pushed.add(request.commit);
      if (!world.weather.strikes("git_trouble")) return await mirror.push(request);
      if (world.chance.isTrue(0.5)) await mirror.push(request);
      return { kind: "unknown", why: "no_answer" };
    },
  };
}

export function parkedNotifier(world: World, border: Border): Notifier {
  const notifier: Notifier = {
    notify: async ({ key, what }) => {
      if (world.weather.strikes("notifier_trouble")) throw new Error("nobody listens");
      noteDetail(world, () => `notified: ${what.kind} (${key})`);
    },
  };
  return parked(notifier, { name: "notifier", border, manners: { notify: { kind: "write", ms: [5, 100] } } });
}
