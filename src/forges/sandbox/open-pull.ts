import type { Account } from "#core/model/account.ts";
import { Untrusted } from "#core/model/ids.ts";
import { updateHeadRef } from "#forges/sandbox/detect-pushes.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { findTip, mayWrite, newestOf, type PullEntry, type Repository, type World } from "#forges/sandbox/world.ts";

export interface Opening {
  readonly by: Account;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

/** An account that may not write opens it from a fork, whose branches are kept here. */
export async function openPull(world: World, repository: Repository, opening: Opening): Promise<PullEntry> {
  const { by } = opening;
  const state = firstState(world, repository, opening);
  const number = repository.pulls.size + 1;
  const ref = { repository: repository.ref, number };
  const entry: PullEntry = { ref, repository, versions: [{ at: state.createdAt, state }] };
  repository.pulls.set(number, entry);
  const what = { kind: "opened", head: state.head.sha, base: opening.base, body: opening.body } as const;
  world.history.push({ at: state.createdAt, by, repository: repository.ref, pull: ref, what });
  await updateHeadRef(world, entry);
  sendWebhooks(world, ref, { kind: "opened" });
  return entry;
}

function firstState(world: World, repository: Repository, opening: Opening): PullState {
  const { by, branch, base, title, body, isDraft } = opening;
  const head = findTip(repository, branch);
  const tip = findTip(repository, base);
  if (head === undefined || tip === undefined)
    throw new EndpointRefusal(422, `there is no branch ${branch} or no ${base}`);
  if (head === tip) throw new EndpointRefusal(422, `no commits between ${base} and ${branch}`);
  for (const other of repository.pulls.values()) {
    const { state, ...known } = newestOf(other);
    if (state === "open" && known.head.branch === branch && known.base.branch === base) {
      throw new EndpointRefusal(422, `a pull already exists for ${branch}`);
    }
  }
  const at = world.now();
  return {
    title: Untrusted.parse(title),
    body: Untrusted.parse(body),
    bodyEdits: [],
    author: by,
    createdAt: at,
    changedAt: at,
    state: "open",
    isDraft,
    head: { sha: head, branch, isFork: !mayWrite(repository, by), pushedAt: at },
    heads: [head],
    base: { branch: base, since: at, tip },
    movedAt: at,
    labels: [],
    requests: [],
    comments: [],
    reviews: [],
    threads: [],
    reactions: [],
    commentReactions: [],
    merged: null,
  };
}
