import * as z from "zod";
import type { ForgePerson } from "#contract/forge/world.ts";
import type { Check, Reaction } from "#core/model/conversation.ts";
import { CommentId, ReviewId, type ThreadId } from "#core/model/ids.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { type GiteaBrowser, openBrowser } from "./gitea-browser.ts";
import type { GiteaPerson } from "./gitea-people.ts";
import type { RealRepository } from "./real-repository.ts";

/** What a person needs to know of the world around. */
export interface PersonPlace {
  readonly url: string;
  readonly person: GiteaPerson;
  repositoryOf(ref: RepositoryRef): RealRepository;
  /** Where the first remark of a thread stands, by which a thread is called. */
  placeOf(pull: PullRef, thread: ThreadId): Promise<RemarkPlace>;
}

export interface RemarkPlace {
  readonly comment: number;
  readonly review: number;
  readonly path: string;
  readonly line: number;
  readonly side: "old" | "new";
}

const Numbered = z.object({ id: z.number() });
const Opened = z.object({ number: z.number() });
const Pull = z.object({
  title: z.string(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
});
const Label = z.object({ id: z.number(), name: z.string() });
const CodeComment = z.object({ id: z.number(), body: z.string(), user: z.object({ login: z.string() }) });

const events = { approve: "APPROVED", request_changes: "REQUEST_CHANGES", comment: "COMMENT" } as const;
const states = { pending: "pending", passed: "success", failed: "failure" } as const satisfies Record<
  Check["state"],
  string
>;
const draftPrefix = "WIP: ";

/** Somebody who works with Gitea by its API, its pages and plain git. */
export function realPerson(place: PersonPlace): ForgePerson {
  const { person } = place;
  const { api } = person;
  const { login } = person.account;
  return {
    push: (request) => place.repositoryOf(request.repository).push({ ...request, by: person }),
    forcePush: (request) => place.repositoryOf(request.repository).forcePush({ ...request, by: person }),
    rebase: async (pull) => {
      const { head, base } = Pull.parse(await api.get(pathOf(pull)));
      return place.repositoryOf(pull.repository).rebase({ branch: head.ref, base: base.ref, by: person });
    },
    openPull: async ({ repository, branch, base, title, body, isDraft = false }) => {
      const asked = { head: branch, base, title: isDraft ? `${draftPrefix}${title}` : title, body };
      const { number } = Opened.parse(await api.send("POST", `/repos/${repository.name}/pulls`, asked));
      return { repository, number };
    },
    editPull: (pull, change) => editPull(place, pull, change),
    merge: (pull) => place.repositoryOf(pull.repository).merge(pull, person),
    comment: async (pull, body) => commentId(await api.send("POST", `${issueOf(pull)}/comments`, { body })),
    editComment: async (pull, comment, body) => void (await api.send("PATCH", commentPath(pull, comment), { body })),
    deleteComment: async (pull, comment) => void (await api.send("DELETE", commentPath(pull, comment))),
    review: async (pull, { event, body, remarks = [] }) => {
      const { head } = Pull.parse(await api.get(pathOf(pull)));
      const comments = remarks.map(inlineComment);
      const asked = { event: events[event], body, commit_id: head.sha, comments };
      return ReviewId.parse(String(Numbered.parse(await api.send("POST", `${pathOf(pull)}/reviews`, asked)).id));
    },
    dismissReview: async (pull, review) =>
      void (await api.send("POST", `${pathOf(pull)}/reviews/${review}/dismissals`, { message: "Dismissed." })),
    reply: (pull, thread, body) => reply(place, { pull, thread, body }),
    resolveThread: async (pull, thread) => {
      const { comment } = await place.placeOf(pull, thread);
      const fields = { origin: "timeline", action: "Resolve", comment_id: String(comment) };
      await (await browserOf(place)).submit(`/${pull.repository.name}/issues/resolve_conversation`, fields);
    },
    react: async (pull, content) => void (await api.send("POST", `${issueOf(pull)}/reactions`, { content })),
    unreact: async (pull, content: Reaction["content"]) =>
      void (await api.send("DELETE", `${issueOf(pull)}/reactions`, { content })),
    report: async ({ repository, commit, name, state }) => {
      const asked = { context: name, state: states[state], description: `From ${login}.` };
      await api.send("POST", `/repos/${repository.name}/statuses/${commit}`, asked);
    },
  };
}

export function pathOf({ repository, number }: PullRef): string {
  return `/repos/${repository.name}/pulls/${number}`;
}

export function issueOf({ repository, number }: PullRef): string {
  return `/repos/${repository.name}/issues/${number}`;
}

function commentPath({ repository }: PullRef, comment: CommentId): string {
  return `/repos/${repository.name}/issues/comments/${comment}`;
}

function commentId(answer: unknown): CommentId {
  return CommentId.parse(String(Numbered.parse(answer).id));
}

/** Gitea knows single lines alone: a range is shown where it ends. */
function inlineComment({ path, side, lines, body }: ReviewRemark): object {
  return { path, body, ...(side === "new" ? { new_position: lines.last } : { old_position: lines.last }) };
}

async function editPull(
  place: PersonPlace,
  pull: PullRef,
  change: Parameters<ForgePerson["editPull"]>[1],
): Promise<void> {
  const { api } = place.person;
  const { labels, isDraft, ...fields } = change;
  const told = Pull.parse(await api.get(pathOf(pull)));
  const bare = change.title ?? told.title.replace(draftPrefix, "");
  const isPrefixed = isDraft ?? told.title.startsWith(draftPrefix);
  const title =
    change.title === undefined && isDraft === undefined ? {} : { title: isPrefixed ? `${draftPrefix}${bare}` : bare };
  const named = labels === undefined ? {} : { labels: await ensureLabels(place, pull, labels) };
  const asked = { ...fields, ...title, ...named };
  if (Object.keys(asked).length > 0) await api.send("PATCH", pathOf(pull), asked);
}

async function ensureLabels(
  { person: { api } }: PersonPlace,
  { repository }: PullRef,
  names: readonly string[],
): Promise<readonly number[]> {
  const path = `/repos/${repository.name}/labels`;
  const there = new Map(
    z
      .array(Label)
      .parse(await api.list(path))
      .map(({ id, name }) => [name, id]),
  );
  const ids: number[] = [];
  for (const name of names) {
    ids.push(there.get(name) ?? Numbered.parse(await api.send("POST", path, { name, color: "#00aabb" })).id);
  }
  return ids;
}

const browsers = new WeakMap<GiteaPerson, Promise<GiteaBrowser>>();

/** Logging in takes a while, and one login serves all worlds of a person. */
function browserOf({ url, person }: PersonPlace): Promise<GiteaBrowser> {
  const open = browsers.get(person) ?? openBrowser({ url, login: person.account.login, password: person.password });
  browsers.set(person, open);
  return open;
}

/** In the browser, since the API has replies only from 1.27 on. The page does not name the new comment: we look for it. */
async function reply(
  place: PersonPlace,
  { pull, thread, body }: { readonly pull: PullRef; readonly thread: ThreadId; readonly body: string },
): Promise<CommentId> {
  const root = await place.placeOf(pull, thread);
  const said = async (): Promise<readonly number[]> => {
    const told = await place.person.api.get(`${pathOf(pull)}/reviews/${root.review}/comments`);
    return z
      .array(CodeComment)
      .parse(told)
      .map(({ id }) => id);
  };
  const before = new Set(await said());
  await (await browserOf(place)).submit(`/${pull.repository.name}/pulls/${pull.number}/files/reviews/comments`, {
    origin: "timeline",
    content: body,
    side: root.side === "new" ? "proposed" : "previous",
    line: String(root.line),
    path: root.path,
    single_review: "true",
    reply: String(root.review),
  });
  const found = (await said()).find((id) => !before.has(id));
  if (found === undefined) throw new Error("the reply is not there");
  return CommentId.parse(String(found));
}
