import type { Account } from "#core/model/account.ts";
import type { Instant } from "#core/model/instant.ts";
import { isPending } from "#forges/sandbox/pull-state.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { titleOf } from "#gitea-like/draft-title.ts";
import { labelBody } from "#gitea-like/rest/label-body.ts";
import { userBody } from "#gitea-like/rest/user-body.ts";
import type { PullSight } from "#gitea-like/sight.ts";

/** One line below a pull. `code` is a remark, which is kept in the same place and never told there. */
export interface TimelineEntry {
  readonly id: number;
  readonly type: string;
  readonly by: Account;
  readonly at: Instant;
  readonly editedAt: Instant | null;
  readonly body: string;
  /** Fields that only this type has. */
  readonly more: object;
}

/** Above all numbers of the sandbox, and in the order of what happened. */
const eventNumberMin = 100_000_000;

/** Everything that was said and done, the oldest first. */
export async function timelineOf(pull: PullSight): Promise<readonly TimelineEntry[]> {
  const entries = [...saidIn(pull), ...(await doneTo(pull))];
  return entries.sort((one, other) => one.at - other.at || rankOf(one) - rankOf(other) || one.id - other.id);
}

/** The text of a review is written after its remarks. */
function rankOf({ type }: TimelineEntry): number {
  return type === "review" ? 1 : 0;
}

function saidIn({ sight, state }: PullSight): readonly TimelineEntry[] {
  const { history } = sight.world;
  return [
    ...state.comments.map((comment) => said("comment", comment)),
    ...state.threads.flatMap(({ comments }) => comments.map((comment) => said("code", comment))),
    ...state.reviews.flatMap((review) => {
      if (isPending(review) || review.state.kind === "pending") return [];
      const edit = history.findLast(({ what }) => what.kind === "review_edited" && what.review === review.id);
      const { bodyComment: id, author, body } = review;
      const entry = said("review", { id, author, body, createdAt: review.state.at, editedAt: edit?.at ?? null });
      return [{ ...entry, more: { review_id: Number(review.id) } }];
    }),
  ];
}

interface Text {
  readonly id: string;
  readonly author: Account;
  readonly body: string;
  readonly createdAt: Instant;
  readonly editedAt: Instant | null;
}

function said(type: string, { id, author, body, createdAt, editedAt }: Text): TimelineEntry {
  return { id: Number(id), type, by: author, at: createdAt, editedAt, body, more: {} };
}

async function doneTo(pull: PullSight): Promise<readonly TimelineEntry[]> {
  const { sight, entry } = pull;
  const found: TimelineEntry[] = [];
  for (const [index, change] of sight.world.history.entries()) {
    if (change.at > sight.at || change.pull?.number !== entry.ref.number) continue;
    if (change.repository.id !== entry.ref.repository.id) continue;
    const lines = await linesOf(pull, change);
    for (const [place, line] of lines.entries()) {
      const id = eventNumberMin + index * 10 + place;
      found.push({ id, by: change.by, at: change.at, editedAt: null, body: "", more: {}, ...line });
    }
  }
  return found;
}

type Line = Pick<TimelineEntry, "type"> & Partial<Pick<TimelineEntry, "body" | "more">>;

async function linesOf(pull: PullSight, { what }: SandboxChange): Promise<readonly Line[]> {
  const { sight } = pull;
  switch (what.kind) {
    case "opened":
      return [{ type: "pull_push", body: pushed(false, [what.head]) }];
    case "head_changed":
      return [await pushLine(pull, what)];
    case "pull_edited":
      return editLines(pull, what);
    case "merged":
      return [{ type: "merge_pull", more: { ref_commit_sha: what.commit } }];
    case "review_requested":
      return what.of.map((account) => ({ type: "review_request", more: { assignee: userBody(sight, account) } }));
    case "review_dismissed":
      return [
        {
          type: "dismiss_review",
          body: sight.extras.dismissals.get(what.review) ?? "",
          more: { review_id: Number(what.review) },
        },
      ];
    default:
      return [];
  }
}

async function pushLine(
  { sight, entry }: PullSight,
  { from, to }: Extract<SandboxChange["what"], { kind: "head_changed" }>,
): Promise<Line> {
  const repository = entry.repository.ref.name;
  const isForward = await sight.world.host.isAncestor({ repository, older: from, newer: to });
  // Of a push that went on, the sandbox knows the last commit alone.
  return { type: "pull_push", body: isForward ? pushed(false, [to]) : pushed(true, [from, to]) };
}

/** Data in a text. */
function pushed(isForced: boolean, commits: readonly string[]): string {
  return JSON.stringify({ is_force_push: isForced, commit_ids: commits });
}

type Edit = Extract<SandboxChange["what"], { kind: "pull_edited" }>;

function editLines({ sight, entry }: PullSight, { faces }: Edit): readonly Line[] {
  // A branch that was taken away closes its pull.
  if (faces === undefined) return [{ type: "close" }];
  const { before, after } = faces;
  const titles = { old_title: titleOf(before), new_title: titleOf(after) };
  const stuck = after.labels.filter((name) => !before.labels.includes(name));
  const taken = before.labels.filter((name) => !after.labels.includes(name));
  const label = (name: string, body: string): Line => {
    const found = sight.extras.labels.named(entry.ref.repository.id, name);
    return { type: "label", body, more: { label: labelBody(sight, entry.repository, found) } };
  };
  return [
    ...(titles.old_title === titles.new_title ? [] : [{ type: "change_title", more: titles }]),
    ...(before.base === after.base
      ? []
      : [{ type: "change_target_branch", more: { old_ref: before.base, new_ref: after.base } }]),
    ...stuck.map((name) => label(name, "1")),
    ...taken.map((name) => label(name, "")),
    ...(before.state === after.state ? [] : [{ type: after.state === "open" ? "reopen" : "close" }]),
  ];
}
