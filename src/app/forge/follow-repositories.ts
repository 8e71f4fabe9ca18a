import type { ForgeKey } from "#app/forge/forge-key.ts";
import { listRepositories } from "#app/forge/list-repositories.ts";
import type { ForgeConfig } from "#config/operator-config.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import type { Wake } from "#reconcile/wake.ts";

export interface Following {
  readonly forge: ForgeConfig;
  readonly key: ForgeKey;
  readonly clock: Clock;
  readonly log: Log;
  /** Those that are polled. What is not in it any more is polled once more at most. */
  readonly watched: Set<string>;
  readonly watch: (repository: string) => Promise<void>;
  /** Rung when the forge has said that the list is another one. */
  readonly wake: Wake;
}

/** An App is installed in another repository now and then. A webhook tells of it, where there are any. */
const listedMs = 10 * minuteMs;

/** Keeps the list of repositories equal to what the App was given, until the signal is aborted. */
export async function followRepositories(following: Following, signal: AbortSignal): Promise<void> {
  const { forge, key, clock, log, wake } = following;
  if (forge.repositories !== undefined || key.kind !== "app") return;
  while (!signal.aborted) {
    try {
      await follow(following, await listRepositories(forge, key, clock));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.warn({ why }, "the repositories of the installation cannot be listed");
    }
    await wake.wait(listedMs, signal);
  }
}

async function follow({ watched, watch, log }: Following, names: readonly string[]): Promise<void> {
  const fresh = names.filter((name) => !watched.has(name));
  const gone = [...watched].filter((name) => !names.includes(name));
  for (const name of gone) watched.delete(name);
  for (const name of fresh) {
    watched.add(name);
    await watch(name);
  }
  if (fresh.length + gone.length > 0) log.info({ fresh, gone }, "the repositories of the installation");
}
