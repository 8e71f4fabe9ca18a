import type { Guard } from "./guard.ts";

const file = "src/act/ledger.ts";

/** The parts of exactly-once: each alone is not enough, and none may be missing. */
export const ledgerGuards: readonly Guard[] = [
  {
    name: "attempt-unique-token",
    why: "A worker that slept through its lease goes on as if it still had it, beside the one that took over.",
    file,
    text: "const lease = { token: random.token(), until:",
    instead: 'const lease = { token: "worker", until:',
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because:
        "The margin before the call stops a worker that slept, unless it wakes in the very moment of the other's call.",
    },
  },
  {
    name: "look-before-sending",
    why: "What was sent and never confirmed is sent a second time.",
    file,
    text: "return result === undefined ? undefined : await conclude(attempt, result, announce);",
    instead: "return undefined;",
  },
  {
    name: "forgotten-effect-calls-for-a-tick",
    why: "What waits for an effect that nobody wants any more is tried again without end, and keeps the tick from being taken.",
    file,
    text: "await bringTickForward(context);",
    instead: "",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because:
        "A question has to be edited while the answer to its first wording got lost, on a pull with nothing else to do.",
    },
  },
  {
    name: "sending-before-the-call",
    why: "After a crash within the call nobody knows that it was made.",
    file,
    text: 'if ((await change(attempt, { state: { kind: "sending", since }, attempts })) === "lost") return taken(attempt);',
    instead: "",
  },
  {
    name: "sending-of-the-dead-settles",
    why: "Whoever takes over looks at once, while the forge does not show yet what the dead worker sent.",
    file,
    text: 'if (state.kind === "sending") {',
    instead: "if (false) {",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because:
        "A lease is as long as the forge's memory, so that it takes a slow call, a crash behind it and the oldest of reads at once.",
    },
  },
  {
    name: "lost-answer-is-unknown",
    why: "A lost answer is taken for a refusal, and the effect is sent again.",
    file,
    text: 'if (!(error instanceof ForgeError) || error.isApplied === "unknown") {',
    instead: "if (!(error instanceof ForgeError)) {",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because:
        "A lost answer and a read that is older than the retry have to come together: no life of more than 1,100 had that.",
    },
  },
  {
    name: "unknown-waits-to-settle",
    why: "A look that is too early misses what was sent a moment ago.",
    file,
    text: 'if (state.kind === "unknown" && context.askedAt < state.settleAt) {',
    instead: "if (false) {",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because:
        "A lost answer and a read that is older than the retry have to come together: no life of more than 1,100 had that.",
    },
  },
  {
    name: "settle-time-longer-than-lag",
    why: "A forge shows its past for up to a minute: a shorter wait looks into that past.",
    file: "src/ports/dependencies.ts",
    text: "settleMs: 70 * secondMs,",
    instead: "settleMs: 10 * secondMs,",
    killedBy: {
      test: "test/scenarios/stale-reads.test.ts",
      because:
        "It takes an answer that got lost and a look into the past just then: 1,500 seeds had none that did harm.",
    },
  },
  {
    name: "lane",
    why: "What follows overtakes what may still arrive: an old review lands on top of the new one.",
    file,
    text: "if (waiting !== undefined) return await giveBack(attempt, waiting);",
    instead: "",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because: "In the simulated world nothing arrives later than its answer, so that nothing can be overtaken.",
    },
  },
  {
    name: "margin-before-the-call",
    why: "A call begins in the last second of the lease and ends when somebody else has begun it too.",
    file,
    text: "if (after(now, durations.marginMs) > attempt.until || after(now, durations.marginMs) > context.leaseUntil()) {",
    instead: "if (false) {",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because:
        "It takes a call that is slow at the end of a lease, and calls in the simulated world take less than a second.",
    },
  },
  {
    name: "text-produced-once",
    why: "A retry sends other words than those that may be on their way already.",
    file,
    text: "if (obligation.text !== null) return { attempt, text: obligation.text };",
    instead: "",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because: "Both texts are true; which of them was sent nobody on the forge can tell.",
    },
  },
  {
    name: "records-noted-when-done",
    why: "The effect is there and the records do not know: it is wanted again on each look.",
    file,
    text: "await changeRecords(context, (records) => applyRecordUpdate(records, obligation.note, result));",
    instead: "",
  },
  {
    name: "done-before-noted",
    why: "A crash between the effect and the records loses the record for good.",
    file,
    text: 'state: { kind: "done", result, at, isNoted: false } })) === "lost")',
    instead: 'state: { kind: "done", result, at, isNoted: true } })) === "lost")',
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because: "A worker has to die in the moment between two statements, with nothing that repeats the note.",
    },
  },
  {
    name: "done-is-concluded-not-looked-for",
    why: "What is known to be done is looked for again, and a comment that somebody deleted meanwhile is posted anew.",
    file,
    text: 'if (state.kind === "done") return await conclude(attempt, state.result, announce);',
    instead: "",
    killedBy: {
      test: "test/simulation/guards/ledger.test.ts",
      because: "Somebody has to delete the comment within the seconds after a worker died.",
    },
  },
  {
    name: "open-obligations-are-settled",
    why: "What nobody plans any more stays unknown for ever.",
    file: "src/reconcile/tick.ts",
    text: "if ((await settleOpenObligations(pullContext, announce)) > 0) {",
    instead: "if (false) {",
  },
];
