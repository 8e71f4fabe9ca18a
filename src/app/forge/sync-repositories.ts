import { descriptorOf, settingsOf } from "#app/forge/forge-table.ts";
import { type ForgeConfig } from "#config/forge-config.ts";
import { errorText } from "#core/error-text.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { ForgeCredentials } from "#forges/forge-credentials.ts";
import type { RepositoryList } from "#forges/forge-descriptor.ts";
import { type Clock } from "#ports/clock.ts";
import { type Log } from "#ports/log.ts";
import { type Reconciler } from "#reconcile/reconciler.ts";
import { type WakeSignal } from "#reconcile/wake-signal.ts";

export interface RepositorySyncContext {
  readonly forge: ForgeConfig;
  readonly key: ForgeCredentials;
  readonly clock: Clock;
  readonly log: Log;
  readonly watched: PolledRepositories;
  readonly reconciler: Pick<Reconciler, "watch" | "ensureWatched">;
  readonly wake: WakeSignal;
}

export interface PolledRepositories {
  readonly names: Set<string>;
  isKnown: boolean;
}

/** An App without a list in the configuration has to be asked first. */
export function initialRepositories({ forge, key }: Pick<RepositorySyncContext, "forge" | "key">): PolledRepositories {
  return { names: new Set(forge.repositories), isKnown: forge.repositories !== undefined || key.kind !== "app" };
}

/** An App is installed in another repository now and then. A webhook tells it sooner. */
const listedMs = 10 * minuteMs;
/** Before the first list nothing is polled. */
const unlistedMs = minuteMs;

export async function syncRepositories(context: RepositorySyncContext, signal: AbortSignal): Promise<void> {
  const { forge, key, clock, log, wake, watched } = context;
  if (forge.repositories !== undefined || key.kind !== "app") return;
  while (!signal.aborted) {
    try {
      const { names, isCut } = await listRepositories(forge, key, clock);
      if (isCut) log.warn({ polled: names.length }, "the App has more repositories than are polled");
      await follow(context, names);
    } catch (error) {
      log.warn({ why: errorText(error) }, "the repositories of the installation cannot be listed");
    }
    await wake.wait(watched.isKnown ? listedMs : unlistedMs, signal);
  }
}

/** Known repositories are checked too: otherwise a lost entry would not be noticed. */
async function follow({ watched, reconciler, log }: RepositorySyncContext, names: readonly string[]): Promise<void> {
  const fresh = names.filter((name) => !watched.names.has(name));
  const known = names.filter((name) => watched.names.has(name));
  const gone = [...watched.names].filter((name) => !names.includes(name));
  for (const name of gone) watched.names.delete(name);
  for (const name of fresh) watched.names.add(name);
  watched.isKnown = true;
  if (fresh.length + gone.length > 0) log.info({ fresh, gone }, "the repositories of the installation");
  for (const name of fresh) await reconciler.watch(name);
  for (const name of known) await reconciler.ensureWatched(name);
}

/** With a token and no configured list nothing is polled: only webhooks say where to look. */
async function listRepositories(forge: ForgeConfig, key: ForgeCredentials, clock: Clock): Promise<RepositoryList> {
  const list = descriptorOf(forge.kind).listRepositories;
  if (forge.repositories !== undefined || key.kind !== "app" || list === undefined) {
    return { names: forge.repositories ?? [], isCut: false };
  }
  return await list({ url: settingsOf(forge).url, key, clock });
}
