import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openForge, protocolsOf } from "#app/forge/open-forge.ts";
import { noModels } from "#app/models/open-models.ts";
import { createRunDependencies } from "#app/run/run-dependencies.ts";
import { runSecret } from "#app/run/run-secret.ts";
import type { RunTarget } from "#app/run/run-target.ts";
import { secretVariable } from "#app/serve/block-secret-file.ts";
import { StartError } from "#app/start-error.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { derive } from "#core/derive/derive.ts";
import { findOwnAccount } from "#core/effects/own-account.ts";
import type { Account } from "#core/model/account.ts";
import type { Action } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Situation } from "#core/model/situation.ts";
import { plan } from "#core/plan/plan.ts";
import { noSecrets } from "#core/secrets/known-secrets.ts";
import { createRealGit } from "#git/real-git.ts";
import { createObserver } from "#observe/observe.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";
import { type Git, GitError } from "#ports/git.ts";
import type { Log } from "#ports/log.ts";

export type PullInspection =
  | {
      readonly kind: "seen";
      readonly seen: Observation;
      readonly situation: Situation;
      readonly actions: readonly Action[];
      /** Accounts besides Drover's that may be Drover's too. */
      readonly doubtful: readonly Account[];
      readonly notes: NotesTrust;
    }
  | { readonly kind: "not_now"; readonly why: string; readonly isUnreached: boolean }
  | { readonly kind: "failed"; readonly why: string };

export type NotesTrust =
  | "believed"
  | "other_secret"
  /** No secret was given, and the one derived from the token did not sign them. */
  | "unchecked";

export interface ReadOnlyObserverOptions {
  readonly target: RunTarget;
  readonly rules: Rules;
  /** An id or a login. Without it the marks in its own texts identify Drover. */
  readonly bot: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly searchPath: string;
}

export interface Looker {
  look(): Promise<PullInspection>;
  close(): Promise<void>;
}

/** Clones only if code owners are required. The token may be anyone's, so Drover is found by what is on the pull. */
export async function openReadOnlyObserver({
  target,
  rules,
  bot: told,
  env,
  searchPath,
}: ReadOnlyObserverOptions): Promise<Looker> {
  const clock = createSystemClock();
  const secret = await runSecret({ ...target, isReadOnly: true, given: env[secretVariable] });
  const cloned = rules.approval.requiresCodeOwners ? await openGit({ target, env, searchPath }) : null;
  const { dependencies } = createRunDependencies({
    ...target,
    forge: openForge(target.location, target.key, { clock, secrets: noSecrets }),
    mayWrite: false,
    onError: () => undefined,
    git: cloned?.git ?? noGit,
    clock,
    log: noLog,
    secret,
    secrets: noSecrets,
    rules,
    models: noModels,
  });
  let doubtful: readonly Account[] = [];
  const observer = createObserver(dependencies, {
    findOwn: (seen, owner) => {
      const own = findOwnAccount(seen, { owner, told });
      ({ doubtful } = own);
      return own;
    },
  });
  const { repository: name, number } = target;
  let ref: Parameters<typeof observer.observe>[0] | undefined;
  const look = async (): Promise<PullInspection> => {
    try {
      ref ??= { repository: await dependencies.forge.fetchRepository(name), number };
      const found = await observer.observe(ref);
      if (found.kind === "stale") return { kind: "not_now", why: found.why, isUnreached: false };
      const { seen, areNotesForeign } = found.observed;
      const situation = derive(seen);
      const isGiven = (env[secretVariable] ?? "") !== "";
      const notes = areNotesForeign ? (isGiven ? "other_secret" : "unchecked") : "believed";
      return { kind: "seen", seen, situation, actions: plan(seen, situation), doubtful, notes };
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      const { kind, message: why, isUnreached } = error;
      return lasting.has(kind) ? { kind: "failed", why } : { kind: "not_now", why, isUnreached };
    }
  };
  return { look, close: async () => await cloned?.remove() };
}

async function openGit({
  target,
  env,
  searchPath,
}: Pick<ReadOnlyObserverOptions, "target" | "env" | "searchPath">): Promise<{
  readonly git: Git;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(env["RUNNER_TEMP"] ?? tmpdir(), "drover-look-"));
  const remove = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
  try {
    const git = await createRealGit({ folder, searchPath, protocols: protocolsOf(target.location), env });
    return { git, remove };
  } catch (error) {
    await remove();
    if (!(error instanceof GitError) || error.kind !== "unsupported") throw error;
    throw new StartError(`code owners are required, and git is needed to find them: ${error.message}`, {
      cause: error,
    });
  }
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
