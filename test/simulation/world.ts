import type { BlockSecret } from "#core/blocks/block-mac.ts";
import type { Budgets } from "#core/budget/budgets.ts";
import type { Account, Permission } from "#core/model/account.ts";
import type { AccountId, CommentId, HeadSha, InstanceId } from "#core/model/ids.ts";
import { formatInstant, type Instant } from "#core/model/instant.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import type { Queue } from "#ports/queue.ts";
import type { MemoryStore } from "#store/memory-store.ts";
import type { MemoryHub } from "#testing/memory-git/memory-hub.ts";
import type { Cast } from "./cast.ts";
import type { Chance } from "./chance.ts";
import type { Defect } from "./content.ts";
import type { Figures } from "./figures.ts";
import type { Scene } from "./scenes.ts";
import type { Life, Scheduler } from "./scheduler.ts";
import type { SuggestionTruth } from "./suggestions.ts";
import type { Fact, OneShotRun } from "./truth.ts";
import type { Weather } from "./weather.ts";

/** A forge with people on it, and one or two installations of Drover that look after their pulls. */
export interface World {
  readonly seed: number;
  readonly scene: Scene | null;
  readonly scheduler: Scheduler;
  /** What people do is drawn here; what happens to machines is drawn elsewhere, so that each can be changed alone. */
  readonly chance: Chance;
  readonly sandbox: Sandbox;
  readonly hub: MemoryHub;
  readonly cast: Cast;
  readonly permissions: ReadonlyMap<AccountId, Permission>;
  readonly repository: RepositoryRef;
  readonly pulls: PullRef[];
  readonly facts: Fact[];
  readonly installations: Installation[];
  readonly weather: Weather;
  readonly figures: Figures;
  /** Actors and faults that are switched off. */
  readonly off: ReadonlySet<string>;
  readonly trace: string[];
  readonly isTracing: boolean;
  /** What the oracle found first; the life ends there. */
  problem: string | null;
  /** How much of the forge's history has been taken into the facts and judged. */
  historyRead: number;
  factsRead: number;
  /** Everything is being brought to an end: no new deeds, no faults. */
  isEnding: boolean;
  /** When everybody had gone home. */
  restsSince: number | null;
  readonly minds: Minds;
  readonly suggestions: SuggestionTruth;
}

/** What actors remember, beyond the facts. */
export interface Minds {
  /** Every comment that speaks to a bot, and how it reads. */
  readonly spoken: Map<CommentId, { readonly pull: number; readonly by: AccountId; body: string }>;
  /** Subjects of the bot's texts that somebody deleted: nobody can expect to find them. */
  readonly deleted: Set<string>;
  echoes: number;
  nextName: number;
  /** No reviewer answers, for as long as a scene says so. */
  areReviewersDown: boolean;
}

/** One Drover: an account, a secret and a database, and some workers. */
export interface Installation {
  readonly name: string;
  readonly instance: InstanceId;
  readonly bot: Account;
  readonly handle: string;
  /** Where it is not the usual one. */
  readonly gateName: string | undefined;
  readonly secret: BlockSecret;
  /** Which defects its roles look for. */
  readonly finds: (defect: Defect) => boolean;
  rules: Rules;
  /** What models may cost; null for as much as they like. */
  readonly budgets: Budgets | null;
  /** What was really paid for each pull, counted where it was paid. */
  readonly paidMicroUsd: Map<number, number>;
  readonly store: MemoryStore;
  queue: Queue;
  readonly emptyQueue: () => Queue;
  /** What kind of effect each obligation is about. */
  readonly kinds: Map<string, string>;
  readonly workers: Worker[];
  modelMood: "good" | "evil";
  readonly agentMood: "good" | "evil";
  /** The last time that one of its workers stood still. */
  lastPause: { readonly from: number; readonly until: number } | null;
  /** How often one of its workers stood still, by place. */
  readonly pauses: Map<string, number>;
  /** When the database was lost; before it nothing is proven by what is in it. */
  lostAt: number | null;
  /** When looks that failed are tried again: after several failures that is later than any pause between two polls. */
  readonly retriedTicks: Set<Instant>;
  /** Commits that its git has pushed. The forge takes a push for the last one's that asked for the address. */
  readonly pushed: Set<HeadSha>;
  /** Runs of a CI, which claim a pull by a reaction while they work on it. */
  isOneShot: boolean;
  /** Set for what one run of a CI sees of its installation. */
  readonly run?: OneShotRun;
}

export interface Worker {
  readonly name: string;
  readonly life: Life;
  clockOffsetMs: number;
  /** At work on something that is in no queue of the installation. */
  isBusy(): boolean;
  poke(pull: PullRef): void;
  poll(): void;
  /** Somebody put something into the queue. */
  wake(): void;
}

export function note(world: World, words: string): void {
  world.trace.push(`${formatInstant(world.scheduler.now())} ${words}`);
}

/** What only a reader of the trace wants to know: not even put together where nobody reads it. */
export function noteDetail(world: World, words: () => string): void {
  if (world.isTracing) note(world, words());
}

export function isWriter(world: World, account: AccountId): boolean {
  return ["admin", "write"].includes(world.permissions.get(account) ?? "none");
}

/** Facts in order of time, whoever notes them. */
export function addFact(world: World, fact: FactToAdd): void {
  world.facts.push({ ...fact, at: world.scheduler.now() });
}

type FactToAdd = Fact extends infer Each ? (Each extends Fact ? Omit<Each, "at"> : never) : never;
