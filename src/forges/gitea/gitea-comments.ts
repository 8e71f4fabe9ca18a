import { z } from "zod";
import { CommentId } from "#core/model/ids.ts";
import { reviewOfText } from "#core/model/review-text.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { fetchGiteaBodyComment } from "#forges/gitea/gitea-body-comment.ts";
import { bodyOf, type Caller, call, callDated, callRaw, errorOf } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import { issuePath, pullPath, readGiteaId, repositoryPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { GiteaId, GiteaReaction } from "#forges/gitea/gitea-schema.ts";
import type { TransportResult } from "#forges/gitea/gitea-transport.ts";
import { type ClaimSign, type Forge, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

type CommentWrites = Pick<Forge, "createComment" | "editComment" | "addReaction" | "claimPull" | "releasePull">;

const Made = z.object({ id: GiteaId });

/** Everything said on a pull is a comment, numbered together. */
export function commentWrites(caller: Caller): CommentWrites {
  return {
    async createComment({ pull, body }) {
      const asked = {
        where: whereOf(pull),
        name: "create comment",
        manner: "write",
        method: "POST",
        path: `${issuePath(pull)}/comments`,
        body: { body },
        shape: Made,
      } as const;
      const since = caller.clock.now();
      const answer = await callRaw(caller, { ...asked, since });
      if (!isSuccess(answer)) await throwIfGone(caller, { pull, answer, since });
      return CommentId.parse(bodyOf(asked, answer).id);
    },
    editComment: ({ pull, comment, body }) => editGiteaComment(caller, { pull, name: "edit comment", comment, body }),
    /** The first is answered with 201 and the same again with 200. */
    async addReaction({ pull, comment, content }) {
      const since = caller.clock.now();
      const name = "add reaction";
      const review = reviewOfText(comment);
      const subject =
        review === undefined ? comment : await fetchGiteaBodyComment(caller, { pull, review, name, since });
      await call(caller, {
        where: whereOf(pull),
        name,
        manner: "write",
        since,
        method: "POST",
        path: `${commentPath(pull, subject)}/reactions`,
        body: { content },
        shape: z.unknown(),
      });
    },
    async claimPull({ pull, sign }) {
      const asked = {
        ...claimAsked({ pull, sign, name: "claim pull" }),
        method: "POST",
        shape: GiteaReaction,
      } as const;
      const { body, answer } = await callDated(caller, asked);
      const ageMs = Math.max(0, answer.askedAt - body.created_at);
      return { kind: isStatus(answer, 201) ? "claimed" : "held", claim: String(body.created_at), ageMs };
    },
    /** Reactions have no number here, so a later claim goes too. */
    async releasePull({ pull, sign }) {
      const asked = claimAsked({ pull, sign, name: "release pull" });
      await call(caller, { ...asked, method: "DELETE", shape: z.unknown() });
    },
  };
}

function claimAsked({ pull, sign, name }: { readonly pull: PullRef; readonly sign: ClaimSign; readonly name: string }) {
  const path = `${issuePath(pull)}/reactions`;
  return { where: whereOf(pull), name, manner: "write", path, body: { content: sign } } as const;
}

interface Edit {
  readonly pull: PullRef;
  readonly name: string;
  readonly comment: string;
  readonly body: string;
  readonly since?: ReturnType<Caller["clock"]["now"]>;
}

/** What has no text that could be changed is answered with 204, as if it had been done. */
export async function editGiteaComment(caller: Caller, { pull, comment, body, ...how }: Edit): Promise<void> {
  const asked = {
    ...how,
    where: whereOf(pull),
    manner: "write",
    method: "PATCH",
    path: commentPath(pull, comment),
    body: { body },
  } as const;
  const answer = await callRaw(caller, asked);
  if (!isSuccess(answer)) throw errorOf(asked, answer);
  if (!isStatus(answer, 204)) return;
  const message = `gitea ${whereOf(pull)}: ${how.name}: it has no text that could be changed`;
  throw new ForgeError("refused", message, { isApplied: "no" });
}

function commentPath(pull: PullRef, comment: string): string {
  const number = readGiteaId(comment);
  if (number !== undefined) return `${repositoryPath(pull.repository)}/issues/comments/${number}`;
  throw new ForgeError("not_found", `gitea ${whereOf(pull)}: there is no comment ${comment}`, { isApplied: "no" });
}

/** Gitea answers 500 for a missing pull, so look whether it is there. */
async function throwIfGone(
  caller: Caller,
  {
    pull,
    answer,
    since,
  }: { readonly pull: PullRef; readonly answer: TransportResult; readonly since: number & Edit["since"] },
): Promise<void> {
  if (answer.kind === "silence" || answer.status < 500) return;
  const asked = {
    where: whereOf(pull),
    name: "create comment",
    manner: "look",
    method: "GET",
    path: pullPath(pull),
    since,
  } as const;
  const seen = await callRaw(caller, asked);
  if (isStatus(seen, 404)) throw errorOf(asked, seen);
}
