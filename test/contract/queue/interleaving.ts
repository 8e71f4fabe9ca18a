import * as fc from "fast-check";
import { after } from "#core/model/instant.ts";
import type { ClaimedEntry, Queue } from "#ports/queue.ts";
import { createWitness, type Witness } from "./witness.ts";
import { anEntry, leaseMs, takeTick, type World } from "./world.ts";

/**
 * Something that a worker does. `nth` names one of the attempts that were ever given out, over or not: a worker that was
 * thought dead may come back at any time. A crash is an attempt of which nothing more is heard.
 */
export type Step =
  | { readonly kind: "put"; readonly key: string; readonly inMs: number | null }
  | { readonly kind: "take" }
  | { readonly kind: "extend"; readonly nth: number; readonly leaseMs: number }
  | { readonly kind: "finish"; readonly nth: number }
  | { readonly kind: "retry"; readonly nth: number; readonly inMs: number }
  | { readonly kind: "cancel"; readonly key: string }
  | { readonly kind: "pass"; readonly ms: number };

const key = fc.constantFrom("keep/1", "keep/2", "skip/1");
const nth = fc.nat({ max: 20 });
const span = fc.constantFrom(1, 400, leaseMs, 3 * leaseMs);

const someStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put"), key, inMs: fc.option(span) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("take") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("extend"), nth, leaseMs: span }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("finish"), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("retry"), nth, inMs: span }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel"), key }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass"), ms: span }) },
);

export const someSteps: fc.Arbitrary<readonly Step[]> = fc.array(someStep, {
  minLength: 1,
  maxLength: 60,
  // By default most lists would be too short for a takeover.
  size: "max",
});

/** Plays the steps, then lets all workers die and one work off what is left. Answers with what cannot be. */
export async function contradictionsOf(world: World, steps: readonly Step[]): Promise<readonly string[]> {
  const witness = createWitness();
  const taken: ClaimedEntry[] = [];
  for (const [index, step] of steps.entries()) {
    await play(step, { world, witness, taken, queue: world.queues[index % 2 === 0 ? 0 : 1] });
  }
  const [queue] = world.queues;
  for (let round = 0; round < roundsMax && witness.owed().length > 0; round++) {
    await world.pass(10 * leaseMs);
    const last = await takeTick(queue);
    witness.take(last, world.now());
    if (last === null) break;
    await queue.finish(last);
    witness.finish(last);
  }
  const left = witness.owed().map((owed) => `${owed} was never given`);
  return [...witness.contradictions, ...left];
}

/** Each key has at most one running and one waiting entry: a queue that goes on for longer makes them up. */
const roundsMax = 20;

interface Stage {
  readonly world: World;
  readonly witness: Witness;
  readonly taken: ClaimedEntry[];
  readonly queue: Queue;
}

async function play(step: Step, { world, witness, taken, queue }: Stage): Promise<void> {
  const now = world.now();
  switch (step.kind) {
    case "pass":
      return world.pass(step.ms);
    case "put": {
      const at = step.inMs === null ? null : after(now, step.inMs);
      const entry = anEntry({ key: step.key, at, whileRunning: step.key.startsWith("keep") ? "keep" : "skip" });
      await queue.put(entry);
      return witness.put(entry, now);
    }
    case "take": {
      const given = await takeTick(queue);
      if (given !== null) taken.push(given);
      return witness.take(given, now);
    }
    case "cancel":
      await queue.cancel(anEntry({ key: step.key }));
      return witness.cancel(step.key);
    default: {
      const attempt = taken[step.nth % Math.max(1, taken.length)];
      return attempt === undefined ? undefined : playAttempt(step, attempt, { world, witness, queue });
    }
  }
}

async function playAttempt(
  step: Extract<Step, { readonly nth: number }>,
  attempt: ClaimedEntry,
  { world, witness, queue }: Omit<Stage, "taken">,
): Promise<void> {
  const now = world.now();
  if (step.kind === "extend") {
    witness.extend(attempt, await queue.extend(attempt, step.leaseMs), { now, leaseMs: step.leaseMs });
  } else if (step.kind === "finish") {
    await queue.finish(attempt);
    witness.finish(attempt);
  } else {
    await queue.retry(attempt, after(now, step.inMs));
    witness.retry(attempt, after(now, step.inMs));
  }
}
