import { instant, minuteMs } from "#core/model/instant.ts";
import { obeyedOrders, suppression } from "./oracle-merge.ts";
import { type Fact, standingsWithin } from "./truth.ts";
import type { World } from "./world.ts";

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
  if (isAutomatic || isAsked || (isMisread && installation.modelMood === "evil")) return null;
  return `safety: ${look.installation} starts a ${look.role} review of ${look.head.slice(0, 7)} that nobody wants`;
}
