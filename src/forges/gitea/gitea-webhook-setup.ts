import { z } from "zod";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";
import { type Caller, call, callPages } from "#forges/gitea/gitea-call.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { repositoryPath } from "#forges/gitea/gitea-paths.ts";
import { createSend } from "#forges/gitea/gitea-transport.ts";
import type { Clock } from "#ports/clock.ts";
import { ForgeError, type ForgeErrorKind } from "#ports/forge.ts";

/** By the names of the API. Ticks and polls see a commit's other changes. */
export const giteaHookEvents = [
  "pull_request",
  "pull_request_assign",
  "pull_request_comment",
  "pull_request_label",
  "pull_request_milestone",
  "pull_request_review",
  "pull_request_review_request",
  "pull_request_sync",
] as const;

export interface WebhookSetup {
  readonly url: string;
  /** Of an administrator of the repository. */
  readonly token: string;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  /** `owner/name`. */
  readonly repository: string;
  readonly target: string;
  readonly secret: string;
}

export type WebhookSetupOutcome =
  | { readonly kind: "made" | "replaced"; readonly id: number }
  /** Nothing was changed, or the old hook is there as well. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * One hook to that address, with that secret. Replaced, not edited: no version tells the secret, and up to 1.27 an edit
 * ignores it with 200. The new one comes first; two at once do no harm.
 */
export async function ensureGiteaWebhook(wanted: WebhookSetup): Promise<WebhookSetupOutcome> {
  const { repository: where, target, clock } = wanted;
  const fetch = boundedFetch(wanted.fetch ?? environmentFetch(), giteaLimits.answerBytesMax);
  const caller: Caller = { send: createSend({ ...wanted, fetch }), clock, onSpent: () => undefined };
  const path = `${repositoryPath({ name: where })}/hooks`;
  try {
    const before = await fetchHooks(caller, { where, path });
    const making = { where, path, name: "create webhook", method: "POST", manner: "write", shape: Hook } as const;
    const { id } = await call(caller, { ...making, body: hookBody(wanted) });
    const old = before.filter((hook) => hook.config["url"] === target && hook.id !== id);
    for (const hook of old) {
      const removing = { where, name: "delete webhook", method: "DELETE", manner: "write", shape: z.null() } as const;
      await call(caller, { ...removing, path: `${path}/${hook.id}` });
    }
    return { kind: old.length === 0 ? "made" : "replaced", id };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const hint = hints.get(error.kind);
    return { kind: "refused", why: hint === undefined ? error.message : `${error.message} (${hint})` };
  }
}

const Hook = z.object({ id: z.int().positive(), config: z.record(z.string(), z.string()).default(() => ({})) });
type Hook = z.infer<typeof Hook>;

/** More than any repository has; hooks beyond it are not found. */
const hooksMax = 500;

async function fetchHooks(
  caller: Caller,
  place: { readonly where: string; readonly path: string },
): Promise<readonly Hook[]> {
  const listing = { ...place, name: "list webhooks", method: "GET", manner: "read", shape: Hook } as const;
  const { items, isCut } = await callPages(caller, { ...listing, itemsMax: hooksMax });
  if (isCut)
    throw new ForgeError("refused", `gitea ${place.where}: more than ${hooksMax} webhooks`, { isApplied: "no" });
  return items;
}

function hookBody({ target, secret }: WebhookSetup): object {
  return {
    // Forgejo knows it by this name too.
    type: "gitea",
    active: true,
    config: { url: target, content_type: "json", secret },
    events: giteaHookEvents,
  };
}

const hints: ReadonlyMap<ForgeErrorKind, string> = new Map<ForgeErrorKind, string>([
  ["unauthorized", "the server does not know the token"],
  ["forbidden", "the token needs the scope write:repository, and its account has to administer the repository"],
  ["not_found", "there is no such repository, or the account may not see it"],
]);
