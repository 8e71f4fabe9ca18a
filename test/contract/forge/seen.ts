import { z } from "zod";
import { Instant } from "#core/model/instant.ts";
import { Observation } from "#core/model/observation.ts";
import type { FetchedPull, Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export type Seen = FetchedPull;

const SeenShape = Observation.pick({
  observedAt: true,
  pull: true,
  comments: true,
  reviews: true,
  threads: true,
  reactions: true,
  checks: true,
  gate: true,
  limitsReached: true,
}).extend({ changedAt: Instant, headRef: z.string().startsWith("refs/") });

/** A pull as a client sees it, checked against the model. Lists may hold an element twice: here they hold it once. */
export async function fetchSeen(forge: Forge, pull: PullRef): Promise<Seen> {
  const told = await forge.fetchPull(pull);
  SeenShape.parse(told);
  return {
    ...told,
    comments: once(told.comments),
    reviews: once(told.reviews),
    threads: once(told.threads.map((thread) => ({ ...thread, comments: once(thread.comments) }))),
    reactions: once(told.reactions),
    checks: once(told.checks),
    limitsReached: once(told.limitsReached),
  };
}

/** Two elements that differ in anything are two: one that was seen in two states would be a contradiction. */
function once<Element>(list: readonly Element[]): readonly Element[] {
  return [...new Map(list.map((element) => [JSON.stringify(element), element])).values()];
}

/** The texts of a list in an order of their own, since lists have none. */
export function bodiesOf(list: readonly { readonly body: string }[]): readonly string[] {
  return list.map(({ body }) => body).sort();
}

/** The one that says this; a test that finds none, or several, is over. */
export function theOne<Element extends { readonly body: string }>(list: readonly Element[], body: string): Element {
  const [found, ...others] = list.filter((each) => each.body === body);
  if (found === undefined || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} say: ${body}`);
  return found;
}

/** The one element of a list that should have exactly one. */
export function only<Element>(list: readonly Element[]): Element {
  const [found] = list;
  if (found === undefined || list.length !== 1) throw new Error(`expected one element, there are ${list.length}`);
  return found;
}
