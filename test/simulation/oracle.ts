import type { HeadSha } from "#core/model/ids.ts";
import { type Instant, instant, minuteMs, wholeSecond } from "#core/model/instant.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { claimSigns } from "#ports/forge.ts";
import { codePath, suggestedPath } from "./content.ts";
import { doerOf } from "./doers.ts";
import {
  defectProblem,
  isApproved,
  isHeld,
  isObjected,
  isOwned,
  isWaived,
  mayApprove,
  mergeProblem,
  obeyedOrders,
  unreadProblem,
} from "./oracle-merge.ts";
import { siblingProblem } from "./oracle-siblings.ts";
import { suggestedProblem, threadWordsProblem } from "./oracle-suggestions.ts";
import { twiceProblem } from "./oracle-twice.ts";
import { textProblem } from "./oracle-words.ts";
import { namesHead } from "./own-text.ts";
import { type Standing, standingsWithin } from "./truth.ts";
import type { Installation, World } from "./world.ts";

/**
 * Safety, judged from the forge's side: what a bot did, held against what people really did. It reads the forge's history
 * and the facts, and calls nothing of the code that decides. Null where nothing is wrong with the change.
 */
export function changeProblem(world: World, change: SandboxChange): string | null {
  const installation = doerOf(world, change);
  if (installation === undefined) return null;
  const problem =
    judge(world, installation, change) ??
    siblingProblem(world, installation, change, seenSince(world, installation)) ??
    twiceProblem(world, installation, change);
  return problem === null ? null : `safety: ${problem}`;
}

function judge(world: World, installation: Installation, change: SandboxChange): string | null {
  const { what } = change;
  if (what.kind === "pushed") return pushProblem(world, installation, what);
  if (what.kind === "gate_set") return gatesProblem(world, installation, what);
  if (change.pull === null) return null;
  const pull = change.pull.number;
  switch (what.kind) {
    case "merged": {
      const { head, base } = what;
      const problem = mergeProblem(world, installation, { pull, head, base }, seenBy(world, installation, pull));
      return problem === null ? null : `merges ${head.slice(0, 7)} although ${problem}`;
    }
    case "reviewed":
      if (what.event === "approve") {
        const problem = approvalProblem(world, installation, { pull, head: what.head });
        if (problem !== null) return `approves ${what.head.slice(0, 7)} although ${problem}`;
      }
      return textProblem(world, installation, what.body);
    case "commented":
      return threadWordsProblem(world, installation, what) ?? textProblem(world, installation, what.body);
    case "review_edited":
      return textProblem(world, installation, what.body);
    case "comment_edited":
      return ownProblem(world, change, what.comment) ?? textProblem(world, installation, what.body);
    case "reacted":
      if (what.comment !== null) return reactionProblem(world, installation, what);
      return installation.isOneShot && claimSigns.some((sign) => sign === what.content) ? null : "reacts on a pull";
    case "comment_deleted":
      return "deletes a comment";
    case "review_dismissed":
    case "pending_review_discarded":
      return foreignReviewProblem(world, change, what.review);
    case "thread_resolved":
      return threadProblem(world, installation, change, what.thread);
    case "pull_edited":
      return "changes somebody's pull";
    default:
      return null;
  }
}

/**
 * What Drover may have seen: a forge shows its past for up to a minute, and between a look and what follows from it lies
 * as much as a lease. A worker that stood still just before a call makes it later still, and nobody can keep it from that.
 */
const lagMs = minuteMs;
const leaseMs = minuteMs;

function seenBy(world: World, installation: Installation, pull: number): readonly Standing[] {
  const span = { from: seenSince(world, installation), to: world.scheduler.now() };
  return standingsWithin(world.facts, pull, span);
}

function seenSince(world: World, { lastPause }: Installation): Instant {
  const now = world.scheduler.now();
  const isPaused = lastPause !== null && lastPause.until >= now - leaseMs;
  return instant((isPaused ? Math.min(lastPause.from, now) : now) - lagMs - leaseMs);
}

/** The account approves only what all of its roles have read to the end. */
function approvalProblem(
  world: World,
  installation: Installation,
  { pull, head }: { readonly pull: number; readonly head: HeadSha },
): string | null {
  const bases = new Set(seenBy(world, installation, pull).map(({ base }) => base));
  const unread = [...bases].map((base) => unreadProblem(world, installation, { pull, head, base }));
  return defectProblem(world, installation, { pull, head }) ?? (unread.includes(null) ? null : (unread[0] ?? null));
}

/** A status is on a commit: it speaks for every pull that has, or had, it as its head. */
function gatesProblem(
  world: World,
  installation: Installation,
  { head, ...set }: Extract<SandboxChange["what"], { readonly kind: "gate_set" }>,
): string | null {
  const state = gateState(set);
  const pulls = new Set(world.facts.flatMap((fact) => (fact.kind === "head" && fact.head === head ? [fact.pull] : [])));
  const problems = [...pulls].map((pull) => gateProblem(world, installation, { pull, head, state }));
  return problems.includes(null) ? null : (problems[0] ?? `sets a gate on ${head.slice(0, 7)}, which is no head`);
}

/** Where a forge has no neutral, it is said as success, with a word before the others. */
export function gateState<State extends string>(gate: {
  readonly state: State;
  readonly words: string;
}): State | "neutral" {
  return gate.words.startsWith("neutral: ") ? "neutral" : gate.state;
}

function gateProblem(
  world: World,
  installation: Installation,
  gate: Pick<Extract<SandboxChange["what"], { readonly kind: "gate_set" }>, "head" | "state"> & {
    readonly pull: number;
  },
): string | null {
  const seen = seenBy(world, installation, gate.pull);
  if (gate.state === "neutral") {
    if (seen.some((one) => isWaived(installation, one))) return null;
    return "the gate is neutral although nobody who may has switched reviews off";
  }
  if (gate.state !== "success") return null;
  const bases = new Set(seen.map(({ base }) => base));
  const unread = [...bases].map((base) => unreadProblem(world, installation, { ...gate, base }));
  const problem = defectProblem(world, installation, gate) ?? (unread.includes(null) ? null : unread[0]);
  return problem === null || problem === undefined
    ? null
    : `the gate of ${gate.head.slice(0, 7)} is green although ${problem}`;
}

function reactionProblem(
  world: World,
  installation: Installation,
  { comment, content }: Extract<SandboxChange["what"], { readonly kind: "reacted" }>,
): string | null {
  const order = world.facts.findLast((fact) => fact.kind === "ordered" && fact.order.comment === comment);
  if (order?.kind !== "ordered" || order.order.installation !== installation.name) {
    return `answers comment ${comment}, in which nobody ordered anything`;
  }
  const { word, isPermitted, isHeard, isWellFormed } = order.order;
  if (!isHeard) return `answers ${word} of a bot`;
  if (content !== "+1") return null;
  if (!isPermitted) return `obeys ${word} of somebody who may not`;
  return isWellFormed ? null : `obeys a ${word} that makes no sense`;
}

/** A bot changes its own texts and nobody else's. */
function ownProblem(world: World, change: SandboxChange, comment: string): string | null {
  if (change.pull === null) return null;
  const { comments, threads } = world.sandbox.look(change.pull);
  const found = [...comments, ...threads.flatMap((thread) => thread.comments)].find(({ id }) => id === comment);
  return found === undefined || found.author.id === change.by.id ? null : "changes somebody's comment";
}

function foreignReviewProblem(world: World, change: SandboxChange, review: string): string | null {
  if (change.pull === null) return null;
  const found = world.sandbox.look(change.pull).reviews.find(({ id }) => id === review);
  return found === undefined || found.author.id === change.by.id ? null : "does away with somebody's review";
}

function threadProblem(world: World, installation: Installation, change: SandboxChange, thread: string): string | null {
  if (change.pull === null) return null;
  const found = world.sandbox.look(change.pull).threads.find(({ id }) => id === thread);
  return found?.comments[0]?.author.id === installation.bot.id ? null : "resolves somebody's thread";
}

/** Only a pull's own branch, only forward, and nothing that a session must not touch. */
function pushProblem(
  world: World,
  installation: Installation,
  { branch, from, to }: Extract<SandboxChange["what"], { readonly kind: "pushed" }>,
): string | null {
  // A merge moves the base branch; it is judged as a merge.
  if (branch === "main" || branch === "next") return null;
  if (!branch.startsWith("feature-")) return `pushes to ${branch}`;
  const commit = world.hub.objects.commits.get(to);
  if (from === null || commit === undefined || !commit.parents.includes(from)) return "pushes over somebody's commits";
  const pull = world.pulls.find((ref) => world.sandbox.look(ref).pull.head.branch === branch)?.number;
  const unwelcome = pull === undefined ? null : unwelcomeProblem(world, installation, pull, from);
  const suggested =
    world.scene === "suggestions" ? suggestedProblem(world, installation, { pull: pull ?? 0, from, to }) : null;
  return unwelcome ?? sessionProblem(world, installation, { from, to }) ?? suggested;
}

/**
 * What was signed before the bot had shown that it knows the head cannot be proven to mean it; nor can it on a head that came
 * back, until the bot has shown that it knows of that. An objection means the pull.
 */
function signsOnKnown(world: World, installation: Installation, standing: Standing, head: HeadSha): Standing["signs"] {
  const { isOneShot } = installation;
  const lostAt = installation.lostAt ?? 0;
  // A gate tells nothing to an installation that lost its database, or has none: what it knew stands in its notes, if anywhere.
  const isTold = ({ what, at }: SandboxChange): boolean =>
    at >= standing.headSince && isAbout(what, head) && (what.kind !== "gate_set" || (at >= lostAt && !isOneShot));
  const knownAt = world.sandbox.history.find((change) => isTold(change) && doerOf(world, change) === installation)?.at;
  return standing.signs.filter(
    ({ sign, at }) => sign === "objection" || (knownAt !== undefined && wholeSecond(at) > knownAt),
  );
}

function isAbout(what: SandboxChange["what"], head: HeadSha): boolean {
  if (what.kind === "gate_set") return what.head === head;
  return what.kind === "comment_edited" && namesHead(what.body, head);
}

/** A session neither begins nor pushes while somebody says that nobody should work on the branch, or that it is good. */
function unwelcomeProblem(world: World, installation: Installation, pull: number, head: HeadSha): string | null {
  const seen = seenBy(world, installation, pull);
  if (seen.every((one) => isHeld(installation, one))) return "pushes to a pull that is on hold";
  const isOrdered = seen.some((one) => obeyedOrders(installation, one).some(({ word }) => word === "fix"));
  if (isOrdered) return null;
  if (seen.every(({ isDraft }) => isDraft)) return "pushes to a draft";
  const { base } = seen.at(-1) ?? { base: "main" };
  const isGood = (one: Standing): boolean => {
    // What anybody with a say wants changed may be worked on, whoever else approves.
    if (isObjected(world, installation, one)) return false;
    const known = { ...one, signs: signsOnKnown(world, installation, one, head) };
    const target = { head, base };
    return isApproved(world, installation, known, target) && isOwned(world, installation, known, target);
  };
  if (seen.every(isGood)) return "pushes to an approved head";
  return seen.every((one) => isEyed(world, installation, one)) ? "pushes while a reviewer is looking" : null;
}

/** Eyes are over with the time-out of the head, or once whoever looked has asked for changes. */
function isEyed(world: World, installation: Installation, { at, headSince, eyes, signs }: Standing): boolean {
  const { protocols, timeoutMs } = installation.rules.approval;
  if (protocols === "reviews" || at >= wholeSecond(headSince) + timeoutMs) return false;
  return [...eyes].some(
    ([by, since]) =>
      mayApprove(world, installation, by) &&
      !signs.some((one) => one.by === by && one.sign === "objection" && wholeSecond(one.at) >= wholeSecond(since)),
  );
}

function sessionProblem(
  world: World,
  installation: Installation,
  push: { readonly from: Parameters<typeof changedPaths>[1]; readonly to: Parameters<typeof changedPaths>[1] },
): string | null {
  const fixedPath = world.scene === "suggestions" ? suggestedPath : codePath;
  const foreign = changedPaths(world, push.from, push.to).filter((path) => path !== fixedPath);
  if (foreign.length > 0) return `pushes changes of ${foreign.join(", ")}`;
  const { fix } = installation.rules;
  const isOrdered = world.facts.some(
    (fact) => fact.kind === "ordered" && fact.order.word === "fix" && fact.order.isPermitted && fact.order.isWellFormed,
  );
  return isOrdered || fix.onFeedback || fix.onRedChecks || fix.onConflict
    ? null
    : "pushes although nobody asked for a fix";
}

function changedPaths(
  { hub }: World,
  from: Extract<SandboxChange["what"], { readonly kind: "pushed" }>["to"],
  to: typeof from,
): readonly string[] {
  const treeOf = (commit: typeof from) => {
    const tree = hub.objects.commits.get(commit)?.tree;
    return (tree === undefined ? undefined : hub.objects.trees.get(tree)) ?? new Map<string, { readonly id: string }>();
  };
  const [before, after] = [treeOf(from), treeOf(to)];
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.id !== after.get(path)?.id);
}
