import { type Instant, instant, minuteMs } from "#core/model/instant.ts";
import { obeyedOrders, suppressions } from "./oracle-merge.ts";
import { type Fact, type FactOf, type Look, type Saying, type Standing, standingsWithin } from "./truth.ts";
import { type Installation, isWriter, type World } from "./world.ts";

/** A job that was wanted when it was put into the queue may begin, or begin again after a crash, some minutes later. */
const lateMs = 12 * minuteMs;

/** A reviewer is only asked where reviews are on, or somebody asked for one. */
export function factProblem(world: World, fact: Fact): string | null {
  if (fact.kind !== "read" || fact.look.phase !== "begun") return null;
  if (isOverlapping(world, fact))
    return `safety: two runs of ${fact.look.installation} pay for one look at the same time`;
  const { look, pull } = fact;
  const installation = world.installations.find(({ name }) => name === look.installation);
  if (installation === undefined) return null;
  const pauseMs = installation.lastPause === null ? 0 : installation.lastPause.until - installation.lastPause.from;
  const span = { from: instant(fact.at - lateMs - pauseMs), to: fact.at };
  const seen = standingsWithin(world.facts, pull, span);
  const isWanted = (one: Standing): boolean => one.state === "open" && suppressions(installation, one).includes(null);
  const isAutomatic = seen.some(
    (one) => isWanted(one) && (!one.isDraft || isReadToTheEnd(world, { pull, head: look.head, to: fact.at }, isWanted)),
  );
  const isAsked = seen.some((one) => obeyedOrders(installation, one).some(({ word }) => word === "review"));
  // Whoever may talk with Drover may also request a review.
  const isMisread = world.facts.some((one) => mayBeMisread(installation, one)?.isPermitted === true);
  if (isAutomatic || isAsked || isMisread) {
    return isTooDear(world, installation, fact) ? `safety: ${look.installation} pays for too much of a stranger` : null;
  }
  return `safety: ${look.installation} starts a ${look.role} review of ${look.head.slice(0, 7)} that nobody wants`;
}

/** What was begun on a head before the pull became a draft goes on, also after a crash. */
function isReadToTheEnd(
  { facts }: World,
  { pull, head, to }: { readonly pull: number; readonly head: string; readonly to: Instant },
  isWanted: (standing: Standing) => boolean,
): boolean {
  const pushed = facts.findLast((fact) => fact.kind === "head" && fact.pull === pull && fact.head === head);
  if (pushed === undefined) return false;
  return standingsWithin(facts, pull, { from: pushed.at, to }).some((one) => isWanted(one) && !one.isDraft);
}

/** An evil model may take a question, a reply or any other sentence for a request. */
function mayBeMisread({ name, modelMood }: Installation, fact: Fact): Saying | undefined {
  const said = saidIn(fact);
  return modelMood === "evil" && said?.installation === name ? said : undefined;
}

/** What somebody said to Drover in their own words. */
export function saidIn(fact: Fact): Saying | undefined {
  switch (fact.kind) {
    case "asked":
      return fact.question;
    case "argued":
      return fact.argument;
    case "addressed":
      return fact.saying;
    default:
      return undefined;
  }
}

/** A run that has not made its claim anew for so long may be taken for dead by the next one. */
const claimMs = minuteMs;

/**
 * Whether another run of the CI, alive, has begun the same look and has not ended it. One that has been at work for long may
 * have stood still; in bad weather the forge may also not have taken its claim again.
 */
function isOverlapping(world: World, { look, pull, at }: FactOf<"read">): boolean {
  if (look.run === undefined) return false;
  const same = world.facts.filter(
    (fact): fact is FactOf<"read"> =>
      fact.kind === "read" && fact.pull === pull && fact.look.role === look.role && fact.look.head === look.head,
  );
  const { lastPause } = world.installations.find(({ name }) => name === look.installation) ?? { lastPause: null };
  const isClaimKept = world.weather.name === "calm" && lastPause === null;
  return same.some(({ look: { run, phase } }) => {
    if (run === undefined || phase !== "begun" || run.life === look.run?.life) return false;
    const isEnded = same.some((other) => other.look.run?.life === run.life && other.look.phase !== "begun");
    const first = Math.min(run.startedAt, look.run?.startedAt ?? at);
    return !isEnded && !run.life.isOver && (isClaimKept || at - first < claimMs);
  });
}

interface Reader {
  readonly pull: number;
  readonly role: string;
}

/**
 * Whether somebody without write permission may have had all the paid reviews there are, by pushing and asking. A look counts
 * from when its price was asked for; a worker that died or stood still just before or after that may have been counted too,
 * as may be what was under way when a database was lost.
 */
export function isUsedUp(world: World, installation: Installation, { pull, role }: Reader): boolean {
  if (!isStrangersCost(world, installation, role)) return false;
  if (installation.lostAt !== null) return true;
  const asked = world.facts.filter(
    (fact) => fact.kind === "ordered" && fact.pull === pull && fact.order.word === "review",
  );
  const { crashes } = world.figures.counts;
  const died = deadlyPlaces.reduce((sum, place) => sum + (crashes[place] ?? 0), 0);
  // Its account may be written down after the run was cancelled, and nobody can tell any more that nobody was asked.
  const late = installation.pauses.get("store.saveStep before") ?? 0;
  const { outsiderReviewsMax } = installation.rules.reviews;
  return looksPriced(world, installation, pull) + asked.length + died + late >= outsiderReviewsMax;
}

const deadlyPlaces = ["store.saveStep after", "store.savePull after", "queue.put review before"];

/**
 * Roles look side by side: of each head as many as one of them was to look at it. Where the roles were changed, every look
 * counts: nobody knows any more what a role cost that the rules do not name.
 */
function looksPriced(world: World, installation: Installation, pull: number): number {
  const { name } = installation;
  const sets = world.facts.filter((fact) => fact.kind === "roles" && fact.installation === name && fact.pull === pull);
  // The first set is the one that the pull was opened with.
  const isChanged = sets.length > 1;
  const byRole = new Map<string, number>();
  const byHead = new Map<string, number>();
  for (const fact of world.facts) {
    const look = fact.kind === "priced" ? fact.priced : isChanged ? begunLook(fact) : null;
    if (look?.installation !== name || fact.pull !== pull) continue;
    const { role, head, base } = look;
    const ofRole = `${fact.kind} ${head} ${base} ${role}`;
    const count = (byRole.get(ofRole) ?? 0) + 1;
    byRole.set(ofRole, count);
    byHead.set(`${head} ${base}`, Math.max(byHead.get(`${head} ${base}`) ?? 0, count));
  }
  return [...byHead.values()].reduce((sum, count) => sum + count, 0);
}

function begunLook(fact: Fact): Look | null {
  return fact.kind === "read" && fact.look.phase === "begun" ? fact.look : null;
}

function isStrangersCost(world: World, { rules }: Installation, role: string): boolean {
  const isPaid = rules.reviews.roles.some(({ name, reviewer }) => name === role && reviewer !== "rules");
  return isPaid && !isWriter(world, world.cast.ada.id);
}

/** How many heads a role has begun to read for money: it may have cost nothing before the operator changed it. */
function headsRead(world: World, installation: Installation, { pull, role }: Reader): number {
  const heads = world.facts.flatMap((fact) =>
    fact.kind === "read" &&
    fact.pull === pull &&
    fact.look.installation === installation.name &&
    fact.look.role === role &&
    fact.look.phase === "begun" &&
    fact.look.isFree !== true
      ? [`${fact.look.head} ${fact.look.base}`]
      : [],
  );
  return new Set(heads).size;
}

/**
 * More than the rules give and people with write permission asked for. Nothing is said of a life in which the database
 * was lost, since what was under way then is forgotten; nor of two pulls, which may have the same heads.
 */
function isTooDear(world: World, installation: Installation, { look, pull }: FactOf<"read">): boolean {
  if (!isStrangersCost(world, installation, look.role)) return false;
  if (installation.lostAt !== null || world.pulls.length > 1) return false;
  const asked = world.facts.filter((fact) => {
    if (fact.pull !== pull) return false;
    if (mayBeMisread(installation, fact) !== undefined) return true;
    return fact.kind === "ordered" && fact.order.isWriter && ["review", "enable-reviews"].includes(fact.order.word);
  });
  // A look that was under way when the operator made its role one that costs something goes on as the new rules say.
  const changes = world.facts.filter((fact) => fact.kind === "roles" && fact.pull === pull).length - 1;
  const { outsiderReviewsMax } = installation.rules.reviews;
  const allowed = outsiderReviewsMax + asked.length + Math.max(0, changes);
  return headsRead(world, installation, { pull, role: look.role }) > allowed;
}
