import { after, type Instant, minuteMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import { ada } from "#testing/makers.ts";

/** A forge that only notes what reaches it, and answers what it was told to. */
export interface RecordingForge {
  readonly forge: Forge;
  readonly calls: readonly RecordedCall[];
  /** Those that came although the forge had asked for quiet, by its own account. */
  readonly disobeyed: readonly RecordedCall[];
  /** What the next calls are turned away with, one each; null, and all others, are answered with their name. */
  answerWith(...answers: readonly Planned[]): void;
  /** Each answer takes that long, on the forge's side. */
  setDelay(ms: number): void;
}

/** As a function of the time at which the forge answers. */
type Planned = Error | null | ((now: Instant) => Error);

export interface RecordedCall {
  readonly name: string;
  readonly request: unknown;
  readonly at: Instant;
}

/** Of everything that is read of an answer there is enough in each. */
export function answerOf(name: string): unknown {
  return { answer: name, pull: { author: ada } };
}

export function createRecordingForge(clock: Clock): RecordingForge {
  const calls: RecordedCall[] = [];
  const planned: Planned[] = [];
  const disobeyed: RecordedCall[] = [];
  let delayMs = 0;
  let quietUntil = clock.now();
  const record = (name: string) => async (request: unknown) => {
    const call = { name, request, at: clock.now() };
    calls.push(call);
    if (call.at < quietUntil) disobeyed.push(call);
    const plan = planned.shift() ?? null;
    await clock.sleep(delayMs);
    if (plan === null) return answerOf(name);
    const failure = plan instanceof Error ? plan : plan(clock.now());
    if (failure instanceof ForgeError && failure.kind === "rate_limited") {
      quietUntil = later(quietUntil, failure.retryAt ?? after(clock.now(), minuteMs));
    }
    throw failure;
  };
  const forge = new Proxy({}, { get: (_, name) => record(String(name)) });
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has every method, and nobody reads the answers.
    forge: forge as Forge,
    calls,
    disobeyed,
    answerWith: (...answers) => {
      planned.push(...answers);
    },
    setDelay: (ms) => {
      delayMs = ms;
    },
  };
}

function later(left: Instant, right: Instant): Instant {
  return left > right ? left : right;
}
