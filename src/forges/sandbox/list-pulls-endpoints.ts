import { type Endpoint, type EndpointCall } from "#forges/sandbox/call-endpoint.ts";
import { mergeabilityOf } from "#forges/sandbox/mergeability.ts";
import type { PullState } from "#forges/sandbox/pull-state.ts";
import { toWirePage } from "#forges/sandbox/read-endpoints.ts";
import { latestStatuses } from "#forges/sandbox/report-status.ts";
import { wirePull } from "#forges/sandbox/to-wire.ts";
import type { WireDigest, WirePage, WirePull } from "#forges/sandbox/wire.ts";
import { type PullEntry, stateAt } from "#forges/sandbox/world.ts";

interface Page {
  readonly page: number;
}

export const listOpenPulls: Endpoint<Page, WirePage<WirePull>> = {
  name: "list_open_pulls",
  isWrite: false,
  async serve(call, { page }) {
    const { items, hasNext } = toWirePage(call, openPulls(call), page, (open) => open);
    return { items: await Promise.all(items.map(({ entry, state }) => wirePull(call, entry, state))), hasNext };
  },
};

/** GitHub's one query over all open pulls: what changes when anything changes. */
export const digestOpenPulls: Endpoint<Page, WirePage<WireDigest>> = {
  name: "digest_open_pulls",
  isWrite: false,
  async serve(call, { page }) {
    const { items, hasNext } = toWirePage(call, openPulls(call), page, (open) => open);
    return { items: await Promise.all(items.map((open) => digestOf(call, open))), hasNext };
  },
};

interface OpenPull {
  readonly entry: PullEntry;
  readonly state: PullState;
}

function openPulls({ repository, at }: EndpointCall): readonly OpenPull[] {
  const open: OpenPull[] = [];
  for (const entry of repository.pulls.values()) {
    const state = stateAt(entry, at);
    if (state?.state === "open") open.push({ entry, state });
  }
  return open;
}

async function digestOf(call: EndpointCall, { entry, state }: OpenPull): Promise<WireDigest> {
  const { world, at, repository } = call;
  const mergeable = await mergeabilityOf(world, entry, { state, at });
  const statuses = latestStatuses(repository.statuses.get(state.head.sha) ?? [], at);
  return {
    number: entry.ref.number,
    head: state.head.sha,
    updated_at: world.told(state.changedAt),
    mergeable,
    comments: state.comments.length,
    reviews: state.reviews.length,
    reactions: state.reactions.map(({ author, content }) => `${author.id}:${content}`).join(),
    rollup: statuses.map(({ by, name, state: word }) => `${by.id}:${name}:${word}`).join(),
  };
}
