import type { Instant } from "#core/model/instant.ts";
import { hourMs } from "#core/model/instant.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { doerOf, isShared, writerOf } from "./doers.ts";
import { readOwnText } from "./own-text.ts";
import type { Installation, World } from "./world.ts";

/**
 * Two jobs of a CI with one account and different secrets. Neither can check what the other signed, so what the other asks
 * for counts: nobody but the other one, or a person, may lift it.
 */
export function siblingProblem(
  world: World,
  installation: Installation,
  change: SandboxChange,
  since: Instant,
): string | null {
  const { what, pull } = change;
  if (pull === null || !isShared(world, installation)) return null;
  switch (what.kind) {
    case "reviewed":
      if (what.event !== "approve" || !isAskedBySibling(world, installation, pull, since)) return null;
      return "approves over what its sibling asks for";
    case "merged":
      return isAskedBySibling(world, installation, pull, since) ? "merges over what its sibling asks for" : null;
    case "review_edited":
    case "review_dismissed":
      // What was sent twice and blanked names no role any more, and as an approval it still counts on the forge.
      if (!isSiblings(world, installation, what.review) || isBlanked(world, pull, what.review)) return null;
      return "touches a review of its sibling";
    case "comment_edited":
      if (!isSiblings(world, installation, what.comment) || isTwinBlanked(world, pull, what)) return null;
      return "touches a comment of its sibling";
    case "thread_resolved":
      return isSiblings(world, installation, what.thread) ? "resolves a thread of its sibling" : null;
    default:
      return null;
  }
}

function isSiblings(world: World, installation: Installation, id: string): boolean {
  const writer = writerOf(world, id);
  return writer !== undefined && writer !== installation && writer.bot.id === installation.bot.id;
}

/** What was said twice may be blanked by either of the two: a mark shows that it is the same, whoever made it. */
function isTwinBlanked(
  world: World,
  pull: PullRef,
  { comment, before, body }: Extract<SandboxChange["what"], { readonly kind: "comment_edited" }>,
): boolean {
  const { mark } = readOwnText(before);
  if (mark === null || !readOwnText(body).isBlanked) return false;
  const { comments, threads } = world.sandbox.look(pull);
  const texts = [...comments, ...threads.flatMap((thread) => thread.comments)];
  return texts.some((other) => other.id !== comment && readOwnText(other.body).mark === mark);
}

/** Whether a sibling's last verdict asks for changes, has stood since then, and still does. */
export function isAskedBySibling(world: World, installation: Installation, pull: PullRef, since: Instant): boolean {
  const { history } = world.sandbox;
  const dismissed = new Set(
    history.flatMap(({ what }) => (what.kind === "review_dismissed" ? [what.review as string] : [])),
  );
  const verdicts = new Map<Installation, { readonly isRequest: boolean; readonly at: Instant }>();
  for (const change of history) {
    const { what, at } = change;
    if (what.kind !== "reviewed" || what.event === "comment" || change.pull?.number !== pull.number) continue;
    const doer = doerOf(world, change);
    if (doer === undefined || doer === installation || doer.bot.id !== installation.bot.id) continue;
    if (dismissed.has(what.review) || isBlanked(world, pull, what.review)) continue;
    verdicts.set(doer, { isRequest: what.event === "request_changes", at });
  }
  return [...verdicts.values()].some(({ isRequest, at }) => isRequest && at < since);
}

/** What was sent twice is blanked, and then says nothing. */
function isBlanked(world: World, pull: PullRef, review: string): boolean {
  const found = world.sandbox.look(pull).reviews.find(({ id }) => id === review);
  return found !== undefined && readOwnText(found.body).isBlanked;
}

/** Whoever undoes what the other does goes on for as long as both live. */
const restMsMin = 2 * hourMs;
const words = new Set<SandboxChange["what"]["kind"]>([
  "reviewed",
  "review_edited",
  "review_dismissed",
  "commented",
  "comment_edited",
]);

/** Everybody has gone home for hours, and the two jobs still have something to say. */
export function endlessProblem(world: World, installation: Installation): string | null {
  const now = world.scheduler.now();
  if (!isShared(world, installation) || world.restsSince === null || now - world.restsSince < restMsMin) return null;
  const late = world.sandbox.history.find(
    ({ by, at, what }) => by.id === installation.bot.id && at > now - hourMs && words.has(what.kind),
  );
  return late === undefined ? null : `it goes on without end: ${late.what.kind}`;
}
