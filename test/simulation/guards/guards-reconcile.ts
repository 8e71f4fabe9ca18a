import type { Guard } from "./guard.ts";

/** What keeps a pull from being forgotten, and two workers apart. */
export const reconcileGuards: readonly Guard[] = [
  {
    name: "poke-kept-during-a-run",
    why: "What happens while a tick runs is not looked at when it has ended.",
    file: "src/reconcile/poll.ts",
    text: 'at: null, whileRunning: "keep"',
    instead: 'at: null, whileRunning: "skip"',
    killedBy: {
      test: "test/simulation/guards/crank.test.ts",
      because: "Reminders and the poller bring the next look anyway, only later.",
    },
  },
  {
    name: "poke-before-digest",
    why: "A crash between the two makes the poller believe that it has poked.",
    file: "src/reconcile/poll.ts",
    text: "await pokeAll(parts, pulls);",
    instead: "void pokeAll(parts, pulls);",
    killedBy: {
      test: "test/simulation/guards/crank.test.ts",
      because: "Reminders bring the next look anyway, only later.",
    },
  },
  {
    name: "next-look-is-put-in",
    why: "Nobody looks again after a wait: what was unknown stays unknown.",
    file: "src/reconcile/crank.ts",
    text: "if (first !== undefined) {",
    instead: "if (false) {",
  },
  {
    name: "failed-entry-is-retried",
    why: "A forge that was down for a moment costs the pull its turn.",
    file: "src/reconcile/set-aside.ts",
    text: "else await parts.queue.retry(taken, onQueue(at));",
    instead: "else await parts.queue.finish(taken);",
  },
  {
    name: "job-that-asks-for-it-is-retried",
    why: "A job that has to wait is thrown away.",
    file: "src/reconcile/crank.ts",
    text: 'else if (end.kind === "again") await parts.queue.retry(taken, hands.onQueue(end.at));',
    instead: 'else if (end.kind === "again") await parts.queue.finish(taken);',
    killedBy: {
      test: "test/scenarios/sessions-go-wrong.test.ts",
      because: "The plan puts most jobs in again by itself.",
    },
  },
  {
    name: "job-that-waits-is-put-in-anew",
    why: "A job that waits for a batch is thrown away.",
    file: "src/reconcile/crank.ts",
    text: "else await putAnew(hands, taken, end.at);",
    instead: "else await parts.queue.finish(taken);",
    killedBy: { test: "test/scenarios/batches.test.ts", because: "Nobody in the simulation takes batches." },
  },
  {
    name: "only-what-has-its-notes-is-forgotten",
    why: "A pull that is opened again after it was forgotten has its commands obeyed a second time.",
    file: "src/reconcile/tick.ts",
    text: 'const isOnThePull = notes.kind === "done" && notes.wasThere === true;',
    instead: "const isOnThePull = true;",
    killedBy: { test: "test/scenarios/old-pulls.test.ts", because: "Nothing is old enough in the simulation." },
  },
  {
    name: "landing-looks-once-more",
    why: "A hold that comes while a pull waits in the queue of merges does not stop it.",
    file: "src/reconcile/landing.ts",
    text: "if (!isWanted) return;",
    instead: "",
    killedBy: {
      test: "test/simulation/guards/crank.test.ts",
      because: "Within the forge's memory the oracle forgives a hold that came too late.",
    },
  },
  {
    name: "entry-of-the-dead-is-taken-over",
    why: "The pull that a worker died on is never looked at again.",
    file: "src/queues/memory-queue.ts",
    text: 'if (running !== null) return { ...running, origin, kind: "taken_over", since: running.leaseUntil };',
    instead: "if (running !== null) return null;",
  },
  {
    name: "obligation-lease-exclusive",
    why: "Two workers make the same effect at the same time.",
    file: "src/store/memory-store.ts",
    text: "(found.lease !== null && found.lease.until > now)",
    instead: "false",
    killedBy: {
      test: "test/contract/store/obligation-leases.test.ts",
      because: "The token of the later lease stops the earlier attempt: the lease only saves the work.",
    },
  },
  {
    name: "obligation-token-checked",
    why: "A worker whose lease was taken over still writes the ledger.",
    file: "src/store/memory-store.ts",
    text: "found.lease?.token !== token",
    instead: "false",
    killedBy: {
      test: "test/contract/store/obligation-leases.test.ts",
      because: "A worker has to sleep past its lease at the right moment, and the other one to be at work then.",
    },
  },
  {
    name: "records-compare-and-set",
    why: "Of two that change the records at once, one change is lost.",
    file: "src/store/memory-store.ts",
    text: 'if ((pulls.get(pull)?.version ?? 0) !== expectedVersion) return "stale";',
    instead: "",
    killedBy: {
      test: "test/contract/store/pulls.test.ts",
      because: "Simulated workers write records within one moment: nothing comes between reading and writing.",
    },
  },
  {
    name: "pause-is-obeyed",
    why: "A forge that asked for quiet is asked again, and bans the account.",
    file: "src/forges/paced-forge.ts",
    text: "if (until === undefined) return;",
    instead: "return;",
    killedBy: {
      test: "test/contract/forge-paced/pauses.test.ts",
      because: "The sandbox forge does not count what is asked of it while it wants quiet.",
    },
  },
  {
    name: "pause-holds-for-all-workers",
    why: "One worker is told to be quiet and the others go on.",
    file: "src/forges/paced-forge.ts",
    text: "await store.extendPause({ instance: pace, until });",
    instead: "",
    killedBy: {
      test: "test/contract/forge-paced/pauses.test.ts",
      because: "The sandbox forge does not count what is asked of it while it wants quiet.",
    },
  },
];
