import type { AccountId, CommentId, HeadSha, ThreadId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";

/**
 * What really happened, one fact after the other: taken from the forge's own history, and noted by the actors where the
 * forge cannot know what they meant. The oracle judges by it alone and asks nothing of the code that it judges.
 */
export type Fact = { readonly at: Instant; readonly pull: number } & (
  | { readonly kind: "head"; readonly head: HeadSha; readonly base: string }
  | { readonly kind: "draft"; readonly isDraft: boolean }
  | { readonly kind: "state"; readonly state: "open" | "closed" | "merged" }
  | { readonly kind: "signed"; readonly by: AccountId; readonly sign: Sign; readonly id: string }
  | { readonly kind: "unsigned"; readonly by: AccountId; readonly sign: Sign; readonly id: string }
  /** Somebody is looking at it, as the forge shows by a pair of eyes; or does no longer. */
  | { readonly kind: "eyed"; readonly by: AccountId; readonly isThere: boolean }
  | { readonly kind: "ordered"; readonly order: Order }
  /** Deleted, or edited so that it holds no command any more. */
  | { readonly kind: "unsaid"; readonly comment: CommentId }
  | { readonly kind: "asked"; readonly question: Question }
  /** Said to Drover, and neither a command nor a question. */
  | { readonly kind: "addressed"; readonly saying: Saying }
  /** Almost a command. */
  | { readonly kind: "missed"; readonly saying: Saying }
  | { readonly kind: "argued"; readonly argument: Argument }
  | { readonly kind: "marked"; readonly installation: string; readonly marker: Marker | null }
  | { readonly kind: "checked"; readonly head: HeadSha; readonly state: "pending" | "passed" | "failed" }
  | { readonly kind: "read"; readonly look: Look }
  /** Somebody was told what a look will cost; if nothing comes between, it is begun then. */
  | { readonly kind: "priced"; readonly priced: Omit<Look, "phase"> }
  | { readonly kind: "roles"; readonly installation: string; readonly roles: readonly string[] }
);

export type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { readonly kind: Kind }>;

export type Sign = "thumb" | "approval" | "objection";

/** A command that somebody gave. */
export interface Order {
  readonly comment: CommentId;
  /** Whose handle was named. */
  readonly installation: string;
  readonly word: string;
  readonly by: AccountId;
  /** Whether they may, by what they are on this repository. */
  readonly isPermitted: boolean;
  readonly isWriter: boolean;
  readonly isWellFormed: boolean;
  /** Bots are not even answered. */
  readonly isHeard: boolean;
  readonly forMs: number | null;
}

export interface Question {
  readonly comment: CommentId;
  readonly installation: string;
  readonly thread: ThreadId | null;
  readonly wording: string;
  readonly isPermitted: boolean;
}

export interface Saying {
  readonly comment: CommentId;
  readonly installation: string;
  readonly isPermitted: boolean;
}

/** Somebody argues in the thread of a finding, or waives it. */
export interface Argument {
  readonly comment: CommentId;
  readonly installation: string;
  readonly thread: ThreadId;
  readonly defect: string;
  readonly kind: "dispute" | "waiver" | "thanks";
  readonly isPermitted: boolean;
  readonly isWriter: boolean;
}

export interface Marker {
  readonly isWriter: boolean;
  /** The forge tells when it came in; else it is as old as the pull. */
  readonly isDated: boolean;
}

/** A reviewer has looked at a head. */
export interface Look {
  readonly installation: string;
  readonly role: string;
  readonly head: HeadSha;
  readonly base: string;
  readonly phase: "begun" | "whole" | "partial" | "failed" | "unreadable";
  /** By a reviewer that costs nothing, whatever the rules say of the role by now. */
  readonly isFree?: boolean;
  /** The one-shot run that paid for it; a server's looks have none. */
  readonly run?: OneShotRun;
}

export interface OneShotRun {
  readonly life: { readonly isOver: boolean };
  readonly startedAt: Instant;
}

/** One pull as it was at one moment. */
export interface Standing {
  readonly at: Instant;
  readonly head: HeadSha | null;
  readonly headSince: Instant;
  readonly base: string;
  readonly isDraft: boolean;
  readonly state: "open" | "closed" | "merged";
  readonly signs: readonly (FactOf<"signed"> & { readonly head: HeadSha | null; readonly base: string })[];
  /** Reviews that somebody dismissed, with the time at which they were given. */
  readonly dismissed: readonly Pick<FactOf<"signed">, "by" | "at">[];
  /** Who is looking at it, and since when. */
  readonly eyes: ReadonlyMap<AccountId, Instant>;
  /** With the head that stood when they were given; those that were unsaid are gone. */
  readonly orders: readonly (Order & { readonly at: Instant; readonly head: HeadSha | null; readonly base: string })[];
  readonly markers: ReadonlyMap<string, Marker & { readonly at: Instant }>;
  readonly checks: ReadonlyMap<HeadSha, "pending" | "passed" | "failed">;
}

interface StandingInMaking {
  readonly at: Instant;
  head: HeadSha | null;
  headSince: Instant;
  base: string;
  isDraft: boolean;
  state: Standing["state"];
  signs: Standing["signs"][number][];
  readonly dismissed: Standing["dismissed"][number][];
  readonly eyes: Map<AccountId, Instant>;
  orders: Standing["orders"][number][];
  readonly markers: Map<string, Marker & { readonly at: Instant }>;
  readonly checks: Map<HeadSha, "pending" | "passed" | "failed">;
}

/** The facts up to a moment, as one picture. */
export function standingAt(facts: readonly Fact[], pull: number, at: Instant): Standing {
  const standing: StandingInMaking = {
    at,
    head: null,
    headSince: at,
    base: "main",
    isDraft: false,
    state: "open",
    signs: [],
    dismissed: [],
    eyes: new Map(),
    orders: [],
    markers: new Map(),
    checks: new Map(),
  };
  for (const fact of facts) {
    if (fact.at > at) break;
    if (fact.pull === pull) take(standing, fact);
  }
  return standing;
}

function take(standing: StandingInMaking, fact: Fact): void {
  const { head, base } = standing;
  switch (fact.kind) {
    case "head":
      standing.head = fact.head;
      standing.headSince = fact.at;
      standing.base = fact.base;
      return;
    case "draft":
      standing.isDraft = fact.isDraft;
      return;
    case "state":
      standing.state = fact.state;
      return;
    case "signed":
      standing.signs.push({ ...fact, head, base });
      return;
    case "unsigned": {
      const isIt = ({ by, sign, id }: FactOf<"signed">): boolean =>
        by === fact.by && sign === fact.sign && id === fact.id;
      if (fact.sign !== "thumb") standing.dismissed.push(...standing.signs.filter(isIt));
      standing.signs = standing.signs.filter((one) => !isIt(one));
      return;
    }
    case "eyed":
      if (fact.isThere) standing.eyes.set(fact.by, fact.at);
      else standing.eyes.delete(fact.by);
      return;
    case "ordered":
      standing.orders.push({ ...fact.order, at: fact.at, head, base });
      return;
    case "unsaid":
      standing.orders = standing.orders.filter(({ comment }) => comment !== fact.comment);
      return;
    case "marked":
      if (fact.marker === null) standing.markers.delete(fact.installation);
      else standing.markers.set(fact.installation, { ...fact.marker, at: fact.at });
      return;
    case "checked":
      standing.checks.set(fact.head, fact.state);
      return;
    default:
  }
}

/** Every picture of a span of time: how it was at its beginning, and after each fact in it. */
export function standingsWithin(
  facts: readonly Fact[],
  pull: number,
  span: { readonly from: Instant; readonly to: Instant },
): readonly Standing[] {
  // Also its end: time alone lets an order run out.
  const times = new Set<Instant>([span.from, span.to]);
  for (const { at } of facts) if (at > span.from && at <= span.to) times.add(at);
  return [...times].map((at) => standingAt(facts, pull, at));
}
