import { z } from "zod";
import { addReply } from "#forges/sandbox/change-comments.ts";
import { resolveThread, unresolveThread } from "#forges/sandbox/change-review.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { mayWrite, newestOf } from "#forges/sandbox/world.ts";
import { NotFound } from "#gitea-like/refusals.ts";
import { commentAsked, type FoundComment } from "#gitea-like/rest/comment-routes.ts";
import { remarkBodies } from "#gitea-like/rest/review-body.ts";
import { type Asked, created, nothing, numberParam, type Route, readBody, type Said } from "#gitea-like/rest/route.ts";
import type { Sight } from "#gitea-like/sight.ts";

const Reply = z.object({ body: z.string().min(1, "Required") });

/** A conversation is known by a comment in it: there is no other name for one. */
export const threadRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls/comments/{id}/resolve",
    name: "resolve_thread",
    isWrite: true,
    scope: "repository",
    since: 26,
    serve: (sight, asked) => mark(sight, asked, "resolved"),
  },
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls/comments/{id}/unresolve",
    name: "unresolve_thread",
    isWrite: true,
    scope: "repository",
    since: 26,
    serve: (sight, asked) => mark(sight, asked, "open"),
  },
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies",
    name: "create_reply",
    isWrite: true,
    scope: "repository",
    since: 27,
    async serve(sight, asked) {
      const found = await remarkAsked(sight, asked);
      const { pull } = found;
      if (pull.entry.ref.number !== numberParam(asked, "index")) throw new NotFound();
      const { body } = readBody(Reply, asked);
      const { id } = threadOf(found);
      const comment = addReply(sight.world, pull.entry, { by: sight.asker, thread: id, body });
      const state = newestOf(pull.entry);
      const thread = state.threads.find((candidate) => candidate.id === id);
      if (thread === undefined) throw new Error("the thread is gone");
      const [made] = remarkBodies({ ...pull, state }, [{ thread, comment }]);
      return created(made);
    },
  },
];

async function remarkAsked(sight: Sight, asked: Asked): Promise<FoundComment> {
  const found = await commentAsked(sight, asked);
  if (found.kind !== "code") throw new EndpointRefusal(400, "comment is not a review comment");
  return found;
}

function threadOf({ pull, comment }: FoundComment) {
  const thread = pull.state.threads.find(({ comments }) => comments.some(({ id }) => id === comment.id));
  if (thread === undefined) throw new NotFound();
  return thread;
}

/** The mark is on the one comment, and people see it where that is the first of its conversation. */
async function mark(sight: Sight, asked: Asked, wanted: "resolved" | "open"): Promise<Said> {
  const found = await remarkAsked(sight, asked);
  const { entry, state } = found.pull;
  const thread = threadOf(found);
  if (!mayWrite(entry.repository, sight.asker) && state.author.id !== sight.asker.id) {
    throw new EndpointRefusal(403, "user should have permission to resolve comment");
  }
  const isFirst = thread.comments[0]?.id === found.comment.id;
  const act = wanted === "resolved" ? resolveThread : unresolveThread;
  if (isFirst) act(sight.world, entry, { by: sight.asker, thread: thread.id });
  return nothing;
}
