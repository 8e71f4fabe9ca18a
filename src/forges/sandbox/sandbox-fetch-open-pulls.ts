import { limits } from "#core/model/limits.ts";
import { digestOpenPulls, listOpenPulls } from "#forges/sandbox/list-pulls-endpoints.ts";
import { listReactions, listStatuses } from "#forges/sandbox/read-endpoints.ts";
import type { SandboxManner } from "#forges/sandbox/sandbox.ts";
import { allPages, type Caller, call } from "#forges/sandbox/sandbox-call.ts";
import type { WirePull } from "#forges/sandbox/wire.ts";
import { openPullsMax, type PullDigest } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

interface Look {
  readonly caller: Caller;
  readonly manner: SandboxManner;
  readonly repository: RepositoryRef;
}

export function fetchOpenPulls(look: Look): Promise<readonly PullDigest[]> {
  return look.manner === "github" ? fetchDigests(look) : fetchList(look);
}

async function fetchDigests({ caller, repository }: Look): Promise<readonly PullDigest[]> {
  const { items } = await allPages(openPullsMax, (page) =>
    call(caller, { endpoint: digestOpenPulls, place: repository, params: { page } }),
  );
  return items.map(({ number, ...facts }) => ({
    pull: { repository, number },
    digest: Object.values(facts).join(" "),
  }));
}

/** Neither the list nor a webhook tells reactions and statuses: they are asked for by pull. */
async function fetchList(look: Look): Promise<readonly PullDigest[]> {
  const { caller, repository } = look;
  const { items } = await allPages(openPullsMax, (page) =>
    call(caller, { endpoint: listOpenPulls, place: repository, params: { page } }),
  );
  const digests: PullDigest[] = [];
  for (const wire of items) digests.push(await digestOf(look, wire));
  return digests;
}

async function digestOf({ caller, repository }: Look, wire: WirePull): Promise<PullDigest> {
  const { number, head, updated_at, mergeable, comments } = wire;
  const place = { repository, number };
  const reactions = await allPages(limits.reactionsMax, (page) =>
    call(caller, { endpoint: listReactions, place, params: { number, page } }),
  );
  const statuses = await allPages(limits.checksMax, (page) =>
    call(caller, { endpoint: listStatuses, place, params: { commit: head.sha, page } }),
  );
  const facts = [
    head.sha,
    updated_at,
    mergeable,
    // Times are whole seconds: what is said in the second of the last change would not be noticed.
    comments,
    ...reactions.items.map(({ user, content }) => `${user.id}:${content}`),
    ...statuses.items.map(({ creator, context, state }) => `${creator.id}:${context}:${state}`),
  ];
  return { pull: place, digest: facts.join(" ") };
}
