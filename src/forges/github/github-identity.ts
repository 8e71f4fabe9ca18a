import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import { after, type Instant } from "#core/model/instant.ts";
import { isSuccess } from "#forges/forge-response.ts";
import type { GithubApp } from "#forges/github/github-app.ts";
import { type Caller, callGraphql, callRest, callRestRaw, errorOf } from "#forges/github/github-call.ts";
import { malformedResponse } from "#forges/github/github-error.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { readUser } from "#forges/github/github-map.ts";
import { retryRead } from "#forges/github/github-retry-reads.ts";
import { RestUser } from "#forges/github/github-schema.ts";

export interface GithubIdentity {
  readonly bot: Account;
  readonly appId: string | null;
  /** Its check tells about Drover, not about the change. */
  readonly job?: GithubJob | undefined;
  readonly gateName?: string | undefined;
}

export interface GithubJob {
  readonly workflow: string;
  readonly id: string;
}

export type FetchIdentity = () => Promise<GithubIdentity>;

/** Kept for an hour. */
export function createIdentity(caller: Caller, app: GithubApp | null): FetchIdentity {
  let kept: { readonly identity: GithubIdentity; readonly until: Instant } | undefined;
  return async () => {
    if (kept !== undefined && caller.clock.now() < kept.until) return kept.identity;
    const identity = app === null ? await fetchUser(caller) : await fetchBot(caller, app);
    kept = { identity, until: after(caller.clock.now(), githubLimits.identityMsMax) };
    return identity;
  };
}

const anywhere = { where: "identity", repository: null, rights: "look", manner: "read" } as const;

/** A token of an installation belongs to no user, and gets the answer "forbidden". */
async function fetchUser(caller: Caller): Promise<GithubIdentity> {
  const asked = { ...anywhere, name: "look up the user", method: "GET", path: "/user", params: {} } as const;
  const answer = await callRestRaw(caller, asked);
  if (isSuccess(answer)) {
    const user = RestUser.safeParse(answer.data);
    if (!user.success) throw malformedResponse(asked.name, false, user.error);
    return { bot: readUser(user.data), appId: null };
  }
  const error = errorOf(asked, answer);
  if (error.kind !== "forbidden") throw error;
  return { bot: await fetchViewer(caller), appId: null };
}

const ViewerAnswer = z.object({ viewer: z.object({ login: z.string().min(1), databaseId: z.number() }) });

/** Of an App's or a job's token. `github-actions[bot]` has another number on each Enterprise server. */
async function fetchViewer(caller: Caller): Promise<Account> {
  const { body } = await callGraphql(caller, {
    ...anywhere,
    name: "look up the bot of the token",
    query: "query { viewer { login databaseId } }",
    variables: {},
    shape: ViewerAnswer,
  });
  const { login, databaseId } = body.viewer;
  return { id: AccountId.parse(String(databaseId)), login, kind: "bot" };
}

async function fetchBot(caller: Caller, app: GithubApp): Promise<GithubIdentity> {
  const { id, slug } = await retryRead(caller.clock, () => app.fetchApp());
  const user = await callRest(caller, {
    ...anywhere,
    name: "look up the bot",
    method: "GET",
    path: "/users/{username}",
    params: { username: `${slug}[bot]` },
    shape: RestUser,
  });
  return { bot: readUser(user), appId: id };
}
