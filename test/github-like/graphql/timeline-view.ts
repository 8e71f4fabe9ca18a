import { z } from "zod";
import { time } from "#forge-like/time.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { commitView } from "#github-like/graphql/commit-view.ts";
import { connection } from "#github-like/graphql/connection.ts";
import { TypedError } from "#github-like/graphql/graphql-error.ts";
import type { Arguments, View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import type { PullSight } from "#github-like/sight.ts";

interface Event {
  /** As the argument `itemTypes` spells it. */
  readonly type: string;
  readonly view: View;
}

const ItemTypes = z.array(z.string()).nullish();

/** What the sandbox's history can tell of GitHub's timeline. Other kinds that a client asks for are an error. */
export function timelineField(pull: PullSight): (args: Arguments) => Promise<View> {
  return async (args) => {
    const wanted = ItemTypes.parse(args["itemTypes"]);
    const strange = wanted?.find((type) => !knownTypes.has(type));
    if (strange !== undefined) throw new TypedError("UNPROCESSABLE", `this server has no ${strange} in timelines`);
    const events = (await eventsOf(pull)).filter(({ type }) => wanted?.includes(type) ?? true);
    const last = events.at(-1);
    return connection(pull.sight, {
      name: "PullRequestTimelineItems",
      items: events,
      toNode: ({ view }) => view,
      extra: {
        filteredCount: events.length,
        pageCount: events.length,
        updatedAt: last?.view["createdAt"] ?? time(pull.state.createdAt),
      },
    })(args);
  };
}

const knownTypes: ReadonlySet<string> = new Set([
  "PULL_REQUEST_COMMIT",
  "HEAD_REF_FORCE_PUSHED_EVENT",
  "BASE_REF_CHANGED_EVENT",
  "AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT",
  "READY_FOR_REVIEW_EVENT",
  "CONVERT_TO_DRAFT_EVENT",
  "MERGED_EVENT",
  "CLOSED_EVENT",
  "REOPENED_EVENT",
  // Nothing of the kind ever happens in the sandbox.
  "AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT",
  "AUTOMATIC_BASE_CHANGE_FAILED_EVENT",
  "HEAD_REF_DELETED_EVENT",
  "HEAD_REF_RESTORED_EVENT",
]);

async function eventsOf(pull: PullSight): Promise<readonly Event[]> {
  const { sight, entry, state } = pull;
  const { ref } = entry;
  const changes = sight.world.history.filter(
    ({ pull: where, at }) =>
      where?.number === ref.number && where.repository.id === ref.repository.id && at <= sight.at,
  );
  const toggles = changes.filter(({ what }) => what.kind === "pull_edited" && what.fields.includes("isDraft"));
  const events: Event[] = [];
  let base = state.base.branch;
  for (const change of changes) {
    const { what } = change;
    if (what.kind === "opened") {
      base = what.base;
      events.push(pushed(pull, change, what.head));
    } else if (what.kind === "head_changed") {
      const asked = { repository: ref.repository.name, older: what.from, newer: what.to };
      const isForward = await sight.world.host.isAncestor(asked);
      events.push(isForward ? pushed(pull, change, what.to) : forced(pull, change, what));
    } else if (what.kind === "merged") {
      events.push(
        eventOf(pull, change, "MergedEvent", { commit: () => commitView(pull, what.commit), mergeRefName: what.base }),
      );
    } else if (what.kind === "pull_edited") {
      if (what.fields.includes("base")) events.push(moved(pull, change, base));
      if (what.fields.includes("isDraft")) {
        // Each one turns it round, and the last one made it what it is now.
        const isOdd = (toggles.length - 1 - toggles.indexOf(change)) % 2 === 1;
        events.push(eventOf(pull, change, state.isDraft === isOdd ? "ReadyForReviewEvent" : "ConvertToDraftEvent", {}));
      }
      if (what.fields.includes("state")) events.push(eventOf(pull, change, "ClosedEvent", {}));
    }
  }
  return events;
}

function eventOf(
  pull: PullSight,
  change: SandboxChange,
  typename: string,
  fields: Readonly<Record<string, unknown>>,
): Event {
  const { sight, entry } = pull;
  const type = typename.replace(/(?<=[a-z])([A-Z])/g, "_$1").toUpperCase();
  return {
    type,
    view: {
      __typename: typename,
      id: nodeId("E", entry.ref.repository.id, entry.ref.number, change.at, type),
      createdAt: time(change.at),
      actor: () => actorView(sight, change.by),
      ...fields,
    },
  };
}

function pushed(pull: PullSight, change: SandboxChange, oid: Parameters<typeof commitView>[1]): Event {
  return eventOf(pull, change, "PullRequestCommit", { commit: () => commitView(pull, oid) });
}

function forced(
  pull: PullSight,
  change: SandboxChange,
  { from, to }: { readonly from: Parameters<typeof commitView>[1]; readonly to: Parameters<typeof commitView>[1] },
): Event {
  return eventOf(pull, change, "HeadRefForcePushedEvent", {
    beforeCommit: () => commitView(pull, from),
    afterCommit: () => commitView(pull, to),
    ref: null,
  });
}

/** The history says that the base was changed, not from which: between the first and the last nobody can tell. */
function moved(pull: PullSight, change: SandboxChange, first: string): Event {
  return eventOf(pull, change, "BaseRefChangedEvent", {
    previousRefName: first,
    currentRefName: pull.state.base.branch,
  });
}
