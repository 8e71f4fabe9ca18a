import { minuteMs } from "#core/model/instant.ts";
import type { SandboxPull } from "#forges/sandbox/sandbox.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { isGateOf, isOwn, isShared } from "./doers.ts";
import { isNearlySpent, moneyProblem } from "./money.ts";
import { gateState } from "./oracle.ts";
import { ledgerProblem } from "./oracle-ledger.ts";
import { defectProblem, obeyedOrders, suppressions, unreadProblem } from "./oracle-merge.ts";
import { isUsedUp, saidIn } from "./oracle-reviews.ts";
import { endlessProblem, isAskedBySibling } from "./oracle-siblings.ts";
import { readOwnText } from "./own-text.ts";
import { botTexts, type SeenText } from "./own-texts.ts";
import { type FactOf, type Look, type Standing, standingAt } from "./truth.ts";
import { type Installation, isWriter, type World } from "./world.ts";

/** Liveness: everybody has gone home, and nothing that was asked for is left undone, nor done twice. */
export async function restProblem(world: World): Promise<string | null> {
  for (const installation of world.installations) {
    for (const ref of world.pulls) {
      const problem = pullProblem(world, installation, ref) ?? (await ledgerProblem(world, installation, ref));
      if (problem !== null) return `liveness: ${installation.name}, pull ${ref.number}: ${problem}`;
    }
  }
  return null;
}

function pullProblem(world: World, installation: Installation, ref: PullRef): string | null {
  const texts = botTexts(world, installation, ref);
  countTwins(world, texts);
  const standing = standingAt(world.facts, ref.number, world.scheduler.now());
  const always =
    moneyProblem(world, installation, ref.number) ??
    twinProblem(texts) ??
    pendingProblem(world, installation, ref) ??
    endlessProblem(world, installation);
  if (always !== null || standing.state !== "open") return always;
  return (
    standingApprovalProblem(world, installation, ref, standing) ??
    commandProblem(world, installation, ref, { standing, texts }) ??
    hintProblem(world, installation, ref, texts) ??
    questionProblem(world, installation, ref, texts) ??
    argumentProblem(world, installation, ref, texts) ??
    gateProblem(world, installation, ref, { standing, texts }) ??
    managedProblem(standing, texts)
  );
}

function countTwins(world: World, texts: readonly SeenText[]): void {
  world.figures.add("converged", texts.filter(({ own }) => own.isBlanked).length);
}

/** Nothing stands there twice that was to be said once. */
function twinProblem(texts: readonly SeenText[]): string | null {
  const seen = new Set<string>();
  for (const { own, id } of texts) {
    if (own.isBlanked || own.mark === null) continue;
    if (seen.has(own.mark)) return `${id} says again what was said already (duplicated)`;
    seen.add(own.mark);
  }
  return null;
}

function pendingProblem(world: World, installation: Installation, ref: PullRef): string | null {
  const left = world.sandbox
    .look(ref)
    .reviews.find(({ author, state }) => author.id === installation.bot.id && state === "pending");
  return left === undefined ? null : `review ${left.id} was never submitted`;
}

/**
 * An approval of the bot's own is in force only on a head that all of its roles have read whole. Of an account the forge counts
 * the last verdict alone: what a sibling job has said since stands in the place of its own.
 */
function standingApprovalProblem(
  world: World,
  installation: Installation,
  ref: PullRef,
  { head, base }: Standing,
): string | null {
  const verdict = world.sandbox
    .look(ref)
    .reviews.findLast(
      ({ state, author }) =>
        (state === "approved" || state === "changes_requested") && author.id === installation.bot.id,
    );
  if (verdict?.state !== "approved" || head === null || !isOwn(world, installation, verdict)) return null;
  const problem =
    defectProblem(world, installation, { pull: ref.number, head }) ??
    unreadProblem(world, installation, { pull: ref.number, head, base });
  if (problem === null || readOwnText(verdict.body).isSuperseded) return null;
  return `its approval is still in force on ${head.slice(0, 7)} although ${problem}`;
}

interface Moment {
  readonly standing: Standing;
  readonly texts: readonly SeenText[];
}

function commandProblem(
  world: World,
  installation: Installation,
  ref: PullRef,
  { standing, texts }: Moment,
): string | null {
  const { commentReactions } = world.sandbox.look(ref);
  for (const { comment, word, installation: asked, isHeard } of standing.orders) {
    if (asked !== installation.name || !isHeard) continue;
    const signs = commentReactions.filter((one) => one.author.id === installation.bot.id && one.comment === comment);
    const isAnswered = signs.length === 1 || isRuledAnew(world, installation, ref, signs);
    if (!isAnswered) return `${word} in comment ${comment} was answered by ${signs.length} reactions`;
    const answers = answersTo(texts, "command", comment);
    if (answers.length > 1) return `${word} in comment ${comment} was answered ${answers.length} times`;
  }
  return null;
}

/**
 * A run that died after its reaction told nobody of it. Where a push came before the next run, or the pull was closed or opened
 * again, that one rules otherwise: two reactions, each of them true when it was made.
 */
function isRuledAnew(
  world: World,
  { isOneShot }: Installation,
  ref: PullRef,
  signs: SandboxPull["commentReactions"],
): boolean {
  const [first, last] = [signs[0]?.createdAt, signs.at(-1)?.createdAt];
  if (!isOneShot || signs.length !== 2 || first === undefined || last === undefined) return false;
  return world.facts.some(
    ({ kind, pull, at }) => (kind === "head" || kind === "state") && pull === ref.number && at > first && at < last,
  );
}

function answersTo(texts: readonly SeenText[], type: string, subject: string): readonly SeenText[] {
  return texts.filter(
    ({ own }) =>
      !own.isBlanked && !own.isKeeping && own.blocks.some((block) => block.type === type && block.subject === subject),
  );
}

/** Who almost gave a command, and may give it, is told so once; nobody else is. */
function hintProblem(world: World, { name }: Installation, ref: PullRef, texts: readonly SeenText[]): string | null {
  const missed = world.facts.filter(
    (fact): fact is FactOf<"missed"> =>
      fact.kind === "missed" &&
      fact.pull === ref.number &&
      fact.saying.installation === name &&
      fact.saying.isPermitted,
  );
  const hints = texts.filter(({ own, body }) => !own.isBlanked && body.includes("This was not taken as a command."));
  // What was deleted may have been seen before.
  const { comments } = world.sandbox.look(ref);
  const isThere = (fact: FactOf<"missed">): boolean => comments.some(({ id }) => id === fact.saying.comment);
  // A hint that somebody deleted is not said again.
  const deleted = world.sandbox.history.filter(
    ({ what, pull }) => what.kind === "comment_deleted" && pull?.number === ref.number,
  );
  const isRight = hints.length <= missed.length && hints.length + deleted.length >= missed.filter(isThere).length;
  return isRight ? null : `${missed.length} near misses got ${hints.length} hints`;
}

/** The last wording of each question has one answer, and it answers that wording. */
function questionProblem(
  world: World,
  installation: Installation,
  ref: PullRef,
  texts: readonly SeenText[],
): string | null {
  const { comments } = world.sandbox.look(ref);
  const latest = new Map(
    world.facts.flatMap((fact) =>
      fact.kind === "asked" && fact.pull === ref.number && fact.question.installation === installation.name
        ? [[fact.question.comment, fact.question] as const]
        : [],
    ),
  );
  for (const { comment, isPermitted, wording } of latest.values()) {
    const answers = answersTo(texts, "question-answer", comment);
    if (answers.length > 1) return `question ${comment} was answered ${answers.length} times`;
    if (!isPermitted && answers.length > 0) return `question ${comment} of a stranger was answered`;
    const isThere = comments.some(({ id }) => id === comment);
    if (!isPermitted || !isThere || installation.modelMood === "evil" || world.minds.deleted.has(comment)) continue;
    // Before the answer may stand which question it answers.
    const said = (answers[0]?.body ?? "").match(/question \d+/g)?.at(-1);
    const isOlder = said !== undefined && said !== wording;
    if (answers.length === 0 && isNearlySpent(world, installation, ref.number)) continue;
    // A new wording is asked about anew, and counts as another remark.
    if ((answers.length === 0 || isOlder) && isEnough(world, installation, ref, { comment, texts })) continue;
    if (answers.length === 0) return `question ${comment} was never answered (lost)`;
    if (isOlder) return `question ${comment} was answered in an older wording`;
    world.figures.add("questions", 1);
  }
  return null;
}

/** Who may not write has had as many answers as the rules give, and was told so. */
function isEnough(
  world: World,
  { name, rules }: Installation,
  ref: PullRef,
  { comment, texts }: { readonly comment: string; readonly texts: readonly SeenText[] },
): boolean {
  const { comments, threads } = world.sandbox.look(ref);
  const said = [...comments, ...threads.flatMap((thread) => thread.comments)];
  const isByStranger = (id: string): boolean => said.some((one) => one.id === id && !isWriter(world, one.author.id));
  const remarks = world.facts.flatMap((fact) => {
    const one = fact.pull === ref.number ? saidIn(fact) : undefined;
    return one?.installation === name && isByStranger(one.comment) ? [one.comment] : [];
  });
  const isTold = texts.some(({ body, own }) => !own.isBlanked && body.includes("people without write permission"));
  return isByStranger(comment) && remarks.length > rules.conversation.outsiderAnswersMax && isTold;
}

/** Each argument has one answer, in its thread. */
function argumentProblem(
  world: World,
  installation: Installation,
  ref: PullRef,
  texts: readonly SeenText[],
): string | null {
  const { threads } = world.sandbox.look(ref);
  for (const fact of world.facts) {
    if (fact.kind !== "argued" || fact.pull !== ref.number || fact.argument.installation !== installation.name)
      continue;
    const { comment, thread, kind, isPermitted } = fact.argument;
    // A model that failed leaves it a question, which is answered with words.
    const asQuestion = answersTo(texts, "question-answer", comment);
    const answers = [...answersTo(texts, "dispute-resolution", comment), ...asQuestion];
    if (answers.length > 1) return `argument ${comment} was answered ${answers.length} times`;
    const isThere = threads.some(({ id }) => id === thread);
    if (!isPermitted || !isThere || kind === "thanks" || installation.modelMood === "evil") continue;
    if (answers.length === 0 && isNearlySpent(world, installation, ref.number)) continue;
    if (answers.length === 0 && isEnough(world, installation, ref, { comment, texts })) continue;
    if (answers.length === 0) return `argument ${comment} was never answered (lost)`;
    world.figures.add("arguments", 1);
  }
  return null;
}

function gateProblem(
  world: World,
  installation: Installation,
  ref: PullRef,
  { standing, texts }: Moment,
): string | null {
  const { head, base } = standing;
  if (head === null) return null;
  const { gates } = world.sandbox.look(ref);
  const gate = gates.findLast((one) => one.head === head && isGateOf(world, installation, one));
  if (gate === undefined) return `the head ${head.slice(0, 7)} has no gate`;
  const state = gateState(gate);
  const isCancelled = obeyedOrders(installation, standing).some(({ word }) => word === "cancel");
  const isWanted =
    !standing.isDraft && suppressions(installation, standing).every((one) => one === null) && !isCancelled;
  if (!isWanted || installation.rules.reviews.automatic === "disabled") return null;
  const looks = world.facts.flatMap((fact) => (fact.kind === "read" && fact.pull === ref.number ? [fact.look] : []));
  const roles = installation.rules.reviews.roles.map(({ name }) => name);
  for (const role of roles) {
    const isUnpaid = isUsedUp(world, installation, { pull: ref.number, role }) && isToldOf(texts, role);
    const isLeftOut = isUnpaid || isNearlySpent(world, installation, ref.number);
    const own = looks.filter(
      (look) =>
        look.installation === installation.name && look.role === role && look.head === head && look.base === base,
    );
    // Of two looks, one of them in part, either may hold: the later one, or the one that was not overtaken by its successor.
    if (state === "pending" && own.some(({ phase }) => phase === "partial")) return null;
    // A look whose result died with its worker is paid, and there may be no money for another.
    if (state === "pending" && isNearlySpent(world, installation, ref.number)) return null;
    if (own.some(({ phase }) => phase === "whole")) {
      // A look that a push overtook is given up, whatever it finds, and there may be no money for another when the head comes back.
      if (isLeftOut && state !== "success" && isOvertaken(world, ref, own)) return null;
      continue;
    }
    const isSaid = state !== "success" && (isLeftOut || own.some(({ phase }) => phase !== "begun"));
    return isSaid ? null : `${role} never read the last head ${head.slice(0, 7)}, and the gate is ${state}`;
  }
  if (state === "failure" && isFailedAgain(looks, { installation, head, base })) return null;
  const problem = defectProblem(world, installation, { pull: ref.number, head });
  if (problem !== null && state !== "failure") return `the gate is ${state} although ${problem}`;
  const mayBlockStill =
    isArgued(world, installation, ref) ||
    isRoleGone(world, installation, { ref, head }) ||
    isAskedBySibling(world, installation, ref, world.scheduler.now());
  if (problem === null && state !== "success" && !mayBlockStill) {
    return `the gate is ${state} although everybody read it and nothing blocks`;
  }
  return reviewProblem(roles, head, texts, isShared(world, installation));
}

/** Whether the branch moved on around the end of each whole look: nobody can tell from outside which of them counted. */
function isOvertaken(world: World, ref: PullRef, looks: readonly Look[]): boolean {
  const moves = world.facts.flatMap((fact) => (fact.kind === "head" && fact.pull === ref.number ? [fact] : []));
  return world.facts.every((fact) => {
    if (fact.kind !== "read" || fact.look.phase !== "whole" || !looks.includes(fact.look)) return true;
    return moves.some((move) => move.head !== fact.look.head && Math.abs(move.at - fact.at) <= 2 * minuteMs);
  });
}

/** A worker that stood still with a whole look has lost its job, and who took it over may have come to nothing. */
function isFailedAgain(
  looks: readonly Look[],
  { installation, head, base }: { readonly installation: Installation; readonly head: string; readonly base: string },
): boolean {
  return installation.rules.reviews.roles.some(({ name: role }) => {
    const own = looks.filter((look) => look.installation === installation.name && look.role === role);
    return own.findLast((look) => look.head === head && look.base === base)?.phase === "failed";
  });
}

/** A role that costs money and is left out says so where everybody looks. */
function isToldOf(texts: readonly SeenText[], role: string): boolean {
  const managed = texts.find(({ own }) => own.isManaged && !own.isBlanked);
  return managed?.body.includes(`**Not reviewed** by \`${role}\``) ?? false;
}

/** What a role has found that was taken out of the rules stands until one of the others looks again. */
function isRoleGone(
  world: World,
  { name }: Installation,
  { ref, head }: { readonly ref: PullRef; readonly head: string },
): boolean {
  const own = world.facts.filter(({ pull }) => pull === ref.number);
  const changedAt = own.findLast((fact) => fact.kind === "roles" && fact.installation === name)?.at;
  const readAt = own.findLast(
    (fact) => fact.kind === "read" && fact.look.installation === name && fact.look.head === head,
  )?.at;
  return changedAt !== undefined && readAt !== undefined && changedAt >= readAt;
}

/** What is argued about may stand or not. */
function isArgued(world: World, installation: Installation, ref: PullRef): boolean {
  return world.facts.some(
    (fact) => fact.kind === "argued" && fact.pull === ref.number && fact.argument.installation === installation.name,
  );
}

/**
 * Each role's last review speaks of the last head. Two runs of a job that overlap may each have posted one, and where jobs share
 * an account their verdicts differ by what the other one said in between: then one of the reviews does.
 */
function reviewProblem(
  roles: readonly string[],
  head: string,
  texts: readonly SeenText[],
  isAccountShared: boolean,
): string | null {
  for (const role of roles) {
    const own = texts.filter((text) => text.kind === "review" && text.own.role === role && !text.own.isBlanked);
    if (own.length === 0) return `${role} has read the head and published nothing (lost)`;
    const speaking = isAccountShared ? own : own.slice(-1);
    if (!speaking.some(({ body }) => body.includes(head.slice(0, 7)))) {
      return `the ${role} review does not speak of the last head`;
    }
  }
  return null;
}

function managedProblem(standing: Standing, texts: readonly SeenText[]): string | null {
  const managed = texts.filter(({ own }) => own.isManaged && !own.isBlanked);
  if (managed.length > 1) return `there are ${managed.length} managed comments`;
  return managed.length === 0 && !standing.isDraft ? "there is no managed comment (lost)" : null;
}
