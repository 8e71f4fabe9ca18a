import { instant, minuteMs } from "#core/model/instant.ts";
import { obeyedOrders, suppression } from "./oracle-merge.ts";
import { type Fact, type FactOf, standingsWithin } from "./truth.ts";
import { type Installation, isWriter, type World } from "./world.ts";

/** A job that was wanted when it was put into the queue may begin, or begin again after a crash, some minutes later. */
const lateMs = 12 * minuteMs;

/** A reviewer is only asked where reviews are on, or somebody asked for one. */
export function factProblem(world: World, fact: Fact): string | null {
  if (fact.kind !== "read" || fact.look.phase !== "begun") return null;
  const { look, pull } = fact;
  const installation = world.installations.find(({ name }) => name === look.installation);
  if (installation === undefined) return null;
  const pauseMs = installation.lastPause === null ? 0 : installation.lastPause.until - installation.lastPause.from;
  const span = { from: instant(fact.at - lateMs - pauseMs), to: fact.at };
  const seen = standingsWithin(world.facts, pull, span);
  const isAutomatic = seen.some(
    (one) => one.state === "open" && !one.isDraft && suppression(installation, one) === null,
  );
  const isAsked = seen.some((one) => obeyedOrders(installation, one).some(({ word }) => word === "review"));
  // A model may take a question or a reply for a request; whoever may ask may also request.
  const isMisread = world.facts.some((one) => {
    const said = one.kind === "asked" ? one.question : one.kind === "argued" ? one.argument : undefined;
    return said?.isPermitted === true && said.installation === installation.name;
  });
  if (isAutomatic || isAsked || (isMisread && installation.modelMood === "evil")) {
    return isTooDear(world, installation, fact) ? `safety: ${look.installation} pays for too much of a stranger` : null;
  }
  return `safety: ${look.installation} starts a ${look.role} review of ${look.head.slice(0, 7)} that nobody wants`;
}

interface Reader {
  readonly pull: number;
  readonly role: string;
}

/**
 * Whether somebody without write permission may have had all the paid reviews there are, by pushing and asking. What was
 * cancelled before anybody was asked counts where nobody can tell, as with the reviewers here.
 */
export function isUsedUp(world: World, installation: Installation, { pull, role }: Reader): boolean {
  if (!isStrangersCost(world, installation, role)) return false;
  const wanted = world.facts.filter(
    (fact) =>
      fact.pull === pull &&
      (fact.kind === "head" ||
        (fact.kind === "ordered" && ["review", "enable-reviews", "cancel"].includes(fact.order.word))),
  );
  return wanted.length > installation.rules.reviews.outsiderReviewsMax;
}

function isStrangersCost(world: World, { rules }: Installation, role: string): boolean {
  const isPaid = rules.reviews.roles.some(({ name, reviewer }) => name === role && reviewer !== "rules");
  return isPaid && !isWriter(world, world.cast.ada.id);
}

/** How many heads a role has begun to read. */
function headsRead(world: World, installation: Installation, { pull, role }: Reader): number {
  const heads = world.facts.flatMap((fact) =>
    fact.kind === "read" &&
    fact.pull === pull &&
    fact.look.installation === installation.name &&
    fact.look.role === role &&
    fact.look.phase === "begun"
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
    // A model may take anything for a request.
    if (fact.kind === "asked" || fact.kind === "argued") return installation.modelMood === "evil";
    return fact.kind === "ordered" && fact.order.isWriter && ["review", "enable-reviews"].includes(fact.order.word);
  });
  const { outsiderReviewsMax } = installation.rules.reviews;
  return headsRead(world, installation, { pull, role: look.role }) > outsiderReviewsMax + asked.length;
}
