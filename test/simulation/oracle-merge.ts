import type { AccountId, HeadSha } from "#core/model/ids.ts";
import { type Instant, wholeSecond } from "#core/model/instant.ts";
import { defectsAt, patchAt } from "./content.ts";
import { isExcused } from "./oracle-twice.ts";
import { type Fact, type FactOf, type Standing, standingAt } from "./truth.ts";
import { type Installation, isWriter, type World } from "./world.ts";

/** What must have been so for a merge or a verdict, at some moment that Drover may have seen. */

/** Why nobody may merge this head; null where everything that is needed was there. Each may be seen at another moment. */
export function mergeProblem(
  world: World,
  installation: Installation,
  merge: { readonly pull: number; readonly head: HeadSha; readonly base: string },
  seen: readonly Standing[],
): string | null {
  const { head, base } = merge;
  const needs: readonly (readonly [problem: string, isMet: (standing: Standing) => boolean])[] = [
    ["nobody permitted had approved it", (one) => isApproved(world, installation, one, { head, base })],
    ["no owner of the code had approved it", (one) => isOwned(world, installation, one, { head, base })],
    ["somebody permitted objects to it", (one) => !isObjected(world, installation, one)],
    ["its checks were not green", (one) => one.checks.get(head) === "passed"],
    ["it was a draft", (one) => !one.isDraft],
    ["it was on hold", (one) => !isHeld(installation, one)],
    ["nobody wanted it merged", (one) => isWanted(installation, one, { head, base })],
    ["it was not open", (one) => one.state === "open"],
    ["it was against another base", (one) => one.base === base],
  ];
  for (const [problem, isMet] of needs) if (!seen.some(isMet)) return problem;
  if (isHeldKnowingly(world, installation, merge.pull)) return "it had seen that it was on hold";
  return cleanProblem(world, installation, merge, seen);
}

export interface Target {
  readonly head: HeadSha;
  readonly base: string;
}

export function isApproved(
  world: World,
  installation: Installation,
  standing: Standing,
  target: Target,
  isMeant: (by: AccountId) => boolean = () => true,
): boolean {
  const { protocols } = installation.rules.approval;
  return standing.signs.some((one) => {
    const { by, sign, head, base, at } = one;
    if (sign === "objection" || !mayApprove(world, installation, by) || !isMeant(by)) return false;
    if (sign === "thumb" ? protocols === "reviews" : protocols === "emoji") return false;
    const denials = [...standing.signs.filter((other) => other.sign === "objection"), ...standing.dismissed];
    const isDenied = denials.some((other) => other.by === by && wholeSecond(other.at) >= wholeSecond(at));
    if (isDenied || head === null || base !== target.base) return false;
    if (head === target.head || patchAt(world.hub, { head, base }) === patchAt(world.hub, target)) return true;
    return isGivenInBetween(world, installation, one, target);
  });
}

/**
 * A forge that tells no push times shows the same head before and after: that another one stood in between, and was what
 * somebody approved, can only be known to whoever looked meanwhile.
 */
function isGivenInBetween(
  world: World,
  { bot }: Installation,
  { pull, at }: Pick<Standing["signs"][number], "pull" | "at">,
  target: Target,
): boolean {
  if (world.sandbox.manner !== "gitea") return false;
  const heads = world.facts.filter((fact): fact is FactOf<"head"> => fact.kind === "head" && fact.pull === pull);
  const isTarget = (fact: FactOf<"head">): boolean => fact.head === target.head && fact.base === target.base;
  const backAt = heads.find((fact) => fact.at >= at && isTarget(fact))?.at;
  const stood = heads.findLastIndex((fact) => fact.at <= at && isTarget(fact));
  const leftAt = heads[stood + 1]?.at;
  if (backAt === undefined || stood === -1 || leftAt === undefined) return false;
  return !world.sandbox.history.some(
    ({ by, at: doneAt, what }) =>
      by.id === bot.id && doneAt >= leftAt && doneAt <= backAt && what.kind === "gate_set" && what.head !== target.head,
  );
}

/** Where code owners are required, all code of the pull is rita's. */
export function isOwned(world: World, installation: Installation, standing: Standing, target: Target): boolean {
  if (!installation.rules.approval.requiresCodeOwners) return true;
  return isApproved(world, installation, standing, target, (by) => by === world.cast.rita.id);
}

/** Writers, but neither the author nor bots. Gitea does not tell bots from people. */
export function mayApprove(world: World, installation: Installation, by: AccountId): boolean {
  const { ada, echo, ci } = world.cast;
  if (by === ada.id || by === installation.bot.id || !isWriter(world, by)) return false;
  return (
    world.sandbox.manner === "gitea" || ![echo.id, ci.id, world.cast.drover.id, world.cast.shepherd.id].includes(by)
  );
}

/**
 * Whoever objects takes it back by approving later, with a thumb only where thumbs count; what was dismissed since takes it
 * back too. Forges tell whole seconds.
 */
export function isObjected(world: World, installation: Installation, standing: Standing): boolean {
  const { protocols } = installation.rules.approval;
  return standing.signs.some(({ by, sign, at }) => {
    if (sign !== "objection" || !mayApprove(world, installation, by)) return false;
    const approvals = standing.signs.filter(
      (later) => later.sign === "approval" || (later.sign === "thumb" && protocols !== "reviews"),
    );
    const isLater = (later: { readonly by: AccountId; readonly at: Instant }): boolean =>
      later.by === by && wholeSecond(later.at) > wholeSecond(at);
    return ![...approvals, ...standing.dismissed].some(isLater);
  });
}

/** Orders that count, in the order in which they were given. */
export function obeyedOrders(installation: Installation, standing: Standing): Standing["orders"] {
  return standing.orders.filter(
    (order) => order.installation === installation.name && order.isPermitted && order.isWellFormed,
  );
}

export function isHeld(installation: Installation, standing: Standing): boolean {
  const last = obeyedOrders(installation, standing).findLast(({ word }) => word === "hold" || word === "unhold");
  return last?.word === "hold";
}

/** What a bot has acknowledged it has seen: the forge's past is no excuse any more. */
function isHeldKnowingly(world: World, installation: Installation, pull: number): boolean {
  if (isExcused(world, installation)) return false;
  const standing = standingAt(world.facts, pull, world.scheduler.now());
  const last = obeyedOrders(installation, standing).findLast(({ word }) => word === "hold" || word === "unhold");
  if (last?.word !== "hold") return false;
  // What waits in the queue of merges lands beside the ticks, on a look of its own.
  const beforeMs = installation.rules.merge.how === "queue" ? landingMs : 0;
  return world.sandbox.history.some(
    ({ what, by, at }) =>
      what.kind === "reacted" &&
      what.comment === last.comment &&
      by.id === installation.bot.id &&
      at < world.scheduler.now() - beforeMs,
  );
}

const landingMs = 60_000;

function isWanted(installation: Installation, standing: Standing, { head, base }: Target): boolean {
  const { when } = installation.rules.merge;
  if (when !== "on_command") return when === "when_approved";
  return obeyedOrders(installation, standing).some(
    (order) => order.word === "merge" && order.head === head && order.base === base,
  );
}

/**
 * Either everybody has read it and nothing blocks, or a maintainer does without reviews. Where the roles were changed a moment
 * ago, who had to read it depends on whether Drover knew.
 */
function cleanProblem(
  world: World,
  installation: Installation,
  merge: Target & { readonly pull: number },
  seen: readonly Standing[],
): string | null {
  const isWithout = seen.some((one) => isWaived(installation, one));
  const problems = rolesInForce(world, installation, merge.pull).map((roles) => {
    const unread = unreadBy(world, installation, merge, roles);
    const problem = unread ?? defectProblem(world, installation, merge);
    // What was read and cancelled before anybody heard of it is not read.
    const isUnheard = unread !== null || !isSaidRed(world, installation, merge.head);
    return isWithout && isUnheard ? null : problem;
  });
  return problems.includes(null) ? null : (problems[0] ?? null);
}

/** Somebody has not read the whole of it. */
export function unreadProblem(
  world: World,
  installation: Installation,
  read: Target & { readonly pull: number },
): string | null {
  const problems = rolesInForce(world, installation, read.pull).map((roles) =>
    unreadBy(world, installation, read, roles),
  );
  return problems.includes(null) ? null : (problems[0] ?? null);
}

function unreadBy(
  world: World,
  installation: Installation,
  { pull, head, base }: Target & { readonly pull: number },
  roles: readonly string[],
): string | null {
  const looks = world.facts.flatMap((fact) => (fact.kind === "read" && fact.pull === pull ? [fact.look] : []));
  for (const role of roles) {
    const isRead = looks.some(
      (look) =>
        look.installation === installation.name &&
        look.role === role &&
        look.head === head &&
        look.base === base &&
        look.phase === "whole",
    );
    if (!isRead) return `the ${role} role has not read it`;
  }
  return null;
}

function isSaidRed(world: World, { bot }: Installation, head: HeadSha): boolean {
  return world.sandbox.history.some(
    ({ what, by }) => what.kind === "gate_set" && what.head === head && what.state === "failure" && by.id === bot.id,
  );
}

/** All that Drover may have taken for the roles in the last minutes, or before it stood still. */
function rolesInForce(world: World, installation: Installation, pull: number): readonly (readonly string[])[] {
  const { lastPause } = installation;
  const pauseMs = lastPause === null ? 0 : lastPause.until - lastPause.from;
  const since = world.scheduler.now() - rolesAgeMs - pauseMs;
  const changes = world.facts.filter(
    (fact): fact is Extract<Fact, { readonly kind: "roles" }> =>
      fact.kind === "roles" && fact.pull === pull && fact.installation === installation.name,
  );
  const before = changes.findLast(({ at }) => at <= since);
  const later = changes.filter(({ at }) => at > since);
  if (changes.length === 0) return [installation.rules.reviews.roles.map(({ name }) => name)];
  return [...(before === undefined ? [] : [before]), ...later].map(({ roles }) => roles);
}

const rolesAgeMs = 5 * 60_000;

/** Something that blocks, and that neither an argument nor a waiver has settled. */
export function defectProblem(
  world: World,
  installation: Installation,
  { pull, head }: { readonly pull: number; readonly head: HeadSha },
): string | null {
  const { blockingScore } = installation.rules.reviews;
  const settled = new Set(
    world.facts.flatMap((fact) => {
      if (fact.kind !== "argued" || fact.pull !== pull || fact.argument.installation !== installation.name) return [];
      const { kind, defect, isPermitted, isWriter: isByWriter } = fact.argument;
      // An evil model may take thanks for an argument.
      const isSaid = kind === "dispute" || installation.modelMood === "evil";
      const isArgued = isSaid && isPermitted && Number(defect.split("-")[1]) <= 8;
      return isArgued || (kind === "waiver" && isByWriter) ? [defect] : [];
    }),
  );
  const blocker = defectsAt(world.hub, head).find(
    (defect) => defect.score >= blockingScore && installation.finds(defect) && !settled.has(defect.name),
  );
  return blocker === undefined ? null : `it holds ${blocker.name}`;
}

/** Reviews were off, by somebody who may do without them. */
export function isWaived(installation: Installation, standing: Standing): boolean {
  return suppressions(installation, standing).some((one) => one?.isWaiver === true);
}

type Step = Pick<Standing["orders"][number], "word" | "forMs" | "isWriter" | "at">;
type Suppressed = { readonly isWaiver: boolean } | null;

/**
 * Whether reviews are off at that moment (null: they are on), replayed from what was really said. Where the forge does not
 * tell when a marker was brought in, it counts from when Drover saw it: then all that it may have taken for true.
 */
export function suppressions(installation: Installation, standing: Standing): readonly Suppressed[] {
  const orders = obeyedOrders(installation, standing).filter(({ word }) => word.endsWith("able-reviews"));
  const marker = standing.markers.get(installation.name);
  if (marker === undefined) return [replayed(installation, standing, orders)];
  const step: Step = { word: "disable-reviews", forMs: null, isWriter: marker.isWriter, at: marker.at };
  const times = marker.isDated ? [marker.at] : [0, marker.at, Number.POSITIVE_INFINITY];
  return times.map((time) => {
    const steps = [...orders.filter(({ at }) => at < time), step, ...orders.filter(({ at }) => at >= time)];
    return replayed(installation, standing, steps);
  });
}

/** The last step that is not over. */
function replayed(installation: Installation, { at }: Standing, steps: readonly Step[]): Suppressed {
  // Forges tell whole seconds, so it may be over by less than one before it is on the clock of whoever said it.
  const last = steps.findLast((step) => step.forMs === null || at < wholeSecond(step.at) + step.forMs);
  if (last === undefined) return installation.rules.reviews.automatic === "disabled" ? { isWaiver: true } : null;
  return last.word === "enable-reviews" ? null : { isWaiver: last.isWriter };
}
