import { openForge } from "#app/forge/open-forge.ts";
import { noModels } from "#app/models/open-models.ts";
import { makeRunParts } from "#app/run/run-parts.ts";
import { runSecret } from "#app/run/run-secret.ts";
import type { RunTarget } from "#app/run/run-target.ts";
import { secretVariable } from "#app/serve/block-secret-file.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { derive } from "#core/derive/derive.ts";
import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Situation } from "#core/model/situation.ts";
import { plan } from "#core/plan/plan.ts";
import { noSecrets } from "#core/secrets/known-secrets.ts";
import { createObserver } from "#observe/observe.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";
import { type Git, GitError } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";

/** What is to be seen of a pull, and what Drover would do about it. */
export type PullLook =
  | {
      readonly kind: "seen";
      readonly seen: Observation;
      readonly situation: Situation;
      readonly actions: readonly Action[];
    }
  /** Another look in a while may tell. */
  | { readonly kind: "not_now"; readonly why: string }
  /** It will not get better by itself. */
  | { readonly kind: "failed"; readonly why: string };

export interface LookOptions {
  readonly target: RunTarget;
  readonly rules: Rules;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * For whoever only wants to know. Nothing is written and nothing is cloned: a look costs the forge one answer for the
 * pull and one for each person on it. What only the repository itself can tell, that a rebase left the patch as it was,
 * is known from Drover's own notes or not at all.
 */
export async function openLook({ target, rules, env }: LookOptions): Promise<() => Promise<PullLook>> {
  const clock = createSystemClock();
  const secret = await runSecret({ ...target, isReadOnly: true, given: env[secretVariable] });
  const { parts } = makeRunParts({
    ...target,
    forge: openForge(target.place, target.key, { clock, secrets: noSecrets }),
    mayWrite: false,
    onError: () => undefined,
    git: noGit,
    clock,
    log: noLog,
    secret,
    secrets: noSecrets,
    rules,
    models: noModels,
  });
  const observer = createObserver(parts);
  const { repository: name, number } = target;
  let ref: Parameters<typeof observer.look>[0] | undefined;
  return async () => {
    try {
      ref ??= { repository: await parts.forge.fetchRepository(name), number };
      const look = await observer.look(ref);
      if (look.kind === "stale") return { kind: "not_now", why: look.why };
      const { seen } = look.observed;
      const situation = derive(seen);
      return { kind: "seen", seen, situation, actions: plan(seen, situation) };
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      return { kind: lasting.has(error.kind) ? "failed" : "not_now", why: error.message };
    }
  };
}

const lasting: ReadonlySet<ForgeErrorKind> = new Set(["not_found", "forbidden", "unauthorized", "refused"]);

async function refuse(): Promise<never> {
  throw new GitError("unavailable", "nothing is cloned for a look");
}

const noGit: Git = {
  ensureMirror: refuse,
  findMirror: async () => undefined,
  removeWorktree: refuse,
  pruneWorktrees: refuse,
};

const noLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
