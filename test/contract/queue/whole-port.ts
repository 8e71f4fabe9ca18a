import * as fc from "fast-check";
import { type OriginText, originText } from "#core/fairness/work-origin.ts";
import { after } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import type { ClaimedEntry, QueueName } from "#ports/queue.ts";
import { anEntry, leaseMs, type World } from "./world.ts";

/** A call of the port, or time that passes. `nth` names one of the attempts that were ever given out. */
export type Call =
  | { readonly kind: "put" | "putAll"; readonly entries: readonly Wanted[] }
  | { readonly kind: "take"; readonly queues: readonly QueueName[]; readonly leaseMs: number }
  | { readonly kind: "extend" | "retry"; readonly nth: number; readonly ms: number }
  | { readonly kind: "finish" | "bury"; readonly nth: number }
  | { readonly kind: "cancel" | "unbury"; readonly name: Name }
  | { readonly kind: "pass"; readonly ms: number };

interface Name {
  readonly queue: QueueName;
  readonly key: string;
}

interface Wanted extends Name {
  readonly inMs: number | null;
  readonly whileRunning: "keep" | "skip";
  readonly priority: number;
  readonly payload: unknown;
}

/** Two queues, one of them with a limit; see `playCalls`. */
export const limits = { review: 1 } as const;
const queues = ["tick", "review"] as const;

const queue = fc.constantFrom(...queues);
const key = fc.constantFrom("one", "two", "three");
const nth = fc.nat({ max: 20 });
const span = fc.constantFrom(1, 400, leaseMs, 3 * leaseMs);
const entry: fc.Arbitrary<Wanted> = fc.record({
  queue,
  key,
  inMs: fc.oneof(fc.constantFrom(null, -400, 0), span),
  whileRunning: fc.constantFrom("keep", "skip"),
  priority: fc.constantFrom(2, 3),
  payload: fc.constantFrom(null, 1, "text", { list: [true] }),
});
const some = fc.subarray([...queues], { minLength: 1 });

const someCall: fc.Arbitrary<Call> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put"), entries: fc.tuple(entry) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("putAll"), entries: fc.array(entry, { maxLength: 5 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("take"), queues: some, leaseMs: span }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("extend", "retry"), nth, ms: span }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("finish", "bury"), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("cancel", "unbury"), name: fc.record({ queue, key }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass"), ms: span }) },
);

export const someCalls: fc.Arbitrary<readonly Call[]> = fc.array(someCall, {
  minLength: 1,
  maxLength: 40,
  size: "max",
});

/** Plays the calls and answers with all that was to be seen on the way, but for the tokens. */
export async function playCalls(world: World, calls: readonly Call[]): Promise<readonly unknown[]> {
  const taken: ClaimedEntry[] = [];
  const seen: unknown[] = [];
  for (const [index, call] of calls.entries()) {
    const by = world.queues[index % 2 === 0 ? 0 : 1];
    const answer = await play(call, { world, taken, by });
    seen.push({ call, answer, due: await by.nextDue(index % 3 === 0 ? queues : ["review"]) });
  }
  const [last] = world.queues;
  const found = [];
  for (const name of queues.flatMap((of) => ["one", "two", "three"].map((one) => ({ queue: of, key: one })))) {
    found.push(await last.find(name));
  }
  const buried = Object.fromEntries((await last.listQuarantined()).map((each) => [`${each.queue}/${each.key}`, each]));
  return [...seen, found, buried];
}

/** Two keys of one repository, and one that says nothing. */
function originOf({ key: of }: Name): OriginText {
  return originText(of === "three" ? null : { repository: "7", author: of });
}

interface Stage {
  readonly world: World;
  readonly taken: ClaimedEntry[];
  readonly by: World["queues"][0];
}

async function play(call: Call, { world, taken, by }: Stage): Promise<unknown> {
  switch (call.kind) {
    case "put":
    case "putAll": {
      const entries = call.entries.map(({ inMs, ...rest }) =>
        anEntry({ ...rest, origin: originOf(rest), at: inMs === null ? null : after(world.now(), inMs) }),
      );
      if (call.kind === "putAll") return by.putAll(entries);
      for (const each of entries) await by.put(each);
      return undefined;
    }
    case "take": {
      const given = await by.claim(call);
      if (given === null) return null;
      taken.push(given);
      return { ...given, token: taken.filter(({ token }) => token === given.token).length };
    }
    case "cancel":
      return by.cancel(call.name);
    case "unbury":
      return by.restore(call.name);
    case "pass":
      return world.pass(call.ms);
    default: {
      const attempt = taken[call.nth % Math.max(1, taken.length)];
      return attempt === undefined ? undefined : playAttempt(call, attempt, { world, by });
    }
  }
}

async function playAttempt(
  call: Extract<Call, { readonly nth: number }>,
  attempt: ClaimedEntry,
  { world, by }: Omit<Stage, "taken">,
): Promise<unknown> {
  switch (call.kind) {
    case "extend":
      return by.extend(attempt, call.ms);
    case "retry":
      return by.retry(attempt, after(world.now(), call.ms));
    case "finish":
      return by.finish(attempt);
    case "bury":
      return by.quarantine(attempt, "it fails");
    default:
      return never(call);
  }
}
