import type { z } from "zod";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { InstanceId } from "#core/model/ids.ts";
import { Rules } from "#core/model/rules.ts";
import { type Dependencies, defaultDurations } from "#ports/dependencies.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { rulesReviewer } from "#reviewers/rules/rules-reviewer.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { silentLog } from "#testing/makers.ts";
import { createSeededRandom } from "#testing/seeded-random.ts";

type Needed = "forge" | "git" | "clock";

/** The parts of a worker that keeps everything in memory and asks no model. */
export function someDependencies(
  given: Pick<Dependencies, Needed> & Partial<Dependencies> & { readonly rules?: z.input<typeof Rules> | undefined },
): Dependencies {
  const { rules = {}, ...over } = given;
  const random = over.random ?? createSeededRandom(1);
  return {
    instance: InstanceId.parse("test"),
    store: createMemoryStore(),
    queue: over.queue ?? createMemoryQueue({ clock: over.clock, random }),
    reviewers: { rules: rulesReviewer(), model: null, agent: null },
    model: null,
    agent: null,
    notifier: { notify: async () => undefined },
    random,
    log: silentLog,
    secret: makeBlockSecret(new Uint8Array(32).fill(7)),
    rulesOf: async () => Rules.parse(rules),
    durations: defaultDurations,
    ...over,
  };
}

/** A log that keeps its errors: they are bugs. */
export function failureLog(failures: string[]): Dependencies["log"] {
  return { ...silentLog, error: (facts, message) => void failures.push(`${message} ${JSON.stringify(facts)}`) };
}
