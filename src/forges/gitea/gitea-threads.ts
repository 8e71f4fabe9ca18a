import { readRemarkedText } from "#core/diff/remarked-text.ts";
import type { Account } from "#core/model/account.ts";
import type { Comment, Thread } from "#core/model/conversation.ts";
import { HeadSha, ThreadId } from "#core/model/ids.ts";
import { readComment } from "#forges/gitea/gitea-map.ts";
import type { GiteaRemark, GiteaReview } from "#forges/gitea/gitea-schema.ts";

export interface RemarkedReview {
  readonly review: Pick<GiteaReview, "body" | "commit_id" | "user">;
  readonly bodyComment: number | null;
  readonly remarks: readonly GiteaRemark[];
}

export interface ThreadLocation {
  readonly commit: string | null;
  readonly path: string;
  readonly side: "old" | "new";
  readonly line: number;
  /** Another thread follows on that line: Gitea's own replies would go to that one. */
  readonly isShared: boolean;
}

export interface PlacedThread {
  readonly thread: Thread;
  readonly location: ThreadLocation;
}

/**
 * Gitea has only remarks, and shows those of one review on one line as a conversation, with replies from browser and API.
 * Each of a review's own remarks is a thread here: it may be another finding. Before 1.27 our reply is a review that names
 * its thread; of others such a name is not believed, since it would put words into any thread.
 */
export function readThreads(reviews: readonly RemarkedReview[], bot: Pick<Account, "id">): readonly PlacedThread[] {
  const building: Building[] = [];
  const byRemark = new Map<number, Building>();
  const replies: { readonly to: number; readonly reviewed: RemarkedReview }[] = [];
  for (const reviewed of reviews) {
    const to = reviewed.review.user?.id === bot.id ? readReplyMark(reviewed.review.body) : undefined;
    if (to === undefined) for (const thread of beginThreads(reviewed)) add(thread);
    else replies.push({ to, reviewed });
  }
  // Oldest first: a reply may answer a thread that another reply has opened because its own was gone.
  for (const { to, reviewed } of replies.toSorted((left, right) => left.to - right.to)) {
    const thread = byRemark.get(to);
    if (thread === undefined) for (const begun of beginThreads(reviewed)) add(begun);
    else for (const remark of reviewed.remarks) join(thread, remark);
  }
  return building.map(finish);

  function add(thread: Building): void {
    building.push(thread);
    for (const { id } of thread.remarks) byRemark.set(id, thread);
  }

  function join(thread: Building, remark: GiteaRemark): void {
    thread.remarks.push(remark);
    byRemark.set(remark.id, thread);
  }
}

interface Building {
  readonly location: ThreadLocation;
  readonly isResolved: boolean;
  readonly remarks: GiteaRemark[];
}

function beginThreads(reviewed: RemarkedReview): readonly Building[] {
  const conversations = new Map<string, GiteaRemark[]>();
  for (const remark of reviewed.remarks.toSorted((left, right) => left.id - right.id)) {
    const { path, side, line } = placeOf(remark);
    const key = JSON.stringify([path, side, line]);
    conversations.set(key, [...(conversations.get(key) ?? []), remark]);
  }
  return [...conversations.values()].flatMap((conversation) => splitConversation(reviewed, conversation));
}

/** A review's text is numbered at submission: lower remarks came with it. The first of a conversation shows its end. */
function splitConversation(
  { review, bodyComment }: RemarkedReview,
  conversation: readonly GiteaRemark[],
): readonly Building[] {
  const [first] = conversation;
  const threads: Building[] = [];
  for (const remark of conversation) {
    const last = threads.at(-1);
    if (last !== undefined && remark.id > (bodyComment ?? 0)) last.remarks.push(remark);
    else {
      const isResolved = first?.resolver === true || remark.resolver;
      const place = { commit: review.commit_id, ...placeOf(remark), isShared: false };
      threads.push({ location: place, isResolved, remarks: [remark] });
    }
  }
  return threads.map((thread, index) => {
    return index === threads.length - 1 ? thread : { ...thread, location: { ...thread.location, isShared: true } };
  });
}

/** Lines of the file as it was; Gitea does not move them along. */
function placeOf({ path, position, original_position }: GiteaRemark): Pick<ThreadLocation, "path" | "side" | "line"> {
  return original_position > 0 ? { path, side: "old", line: original_position } : { path, side: "new", line: position };
}

function finish({ location, isResolved, remarks }: Building): PlacedThread {
  const sorted = remarks.toSorted((left, right) => left.id - right.id);
  const [root] = sorted;
  const comments: readonly Comment[] = sorted.map(readComment);
  const [first] = comments;
  const id = ThreadId.parse(first?.id);
  const { path, line } = location;
  const remarked = remarkedLines(location, root);
  return {
    location,
    thread: { id, path, line: line > 0 ? line : null, remarked, isResolved, comments: [...comments] },
  };
}

/** The review's commit: the remark's own is the one that last changed the line, perhaps with another number. */
function remarkedLines({ commit, side, line }: ThreadLocation, root: GiteaRemark | undefined): Thread["remarked"] {
  const known = HeadSha.safeParse(commit).data;
  if (known === undefined || line === 0) return null;
  const lines = { side, first: line, last: line };
  return { commit: known, ...lines, text: readRemarkedText(root?.diff_hunk ?? "", lines) };
}

/** The whole text of a mere reply; people do not see it. */
export function replyMark(remark: number): string {
  return `<!-- in reply to ${remark} -->`;
}

export function readReplyMark(body: string): number | undefined {
  const found = /^<!-- in reply to (\d{1,15}) -->$/.exec(body.trim());
  return found === null ? undefined : Number(found[1]);
}
