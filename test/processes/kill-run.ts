import { setTimeout as sleep } from "node:timers/promises";
import type { SandboxServer } from "#app/sandbox-server/sandbox-server.ts";
import type { WebhookSender } from "#forges/sandbox/remote/webhook-sender.ts";
import type { Chance } from "./chance.ts";
import { createDeeds, type Deeds } from "./deeds.ts";
import { acceptedPulls, findLost, findTwice, type Judged, type OracleProblem } from "./forge-oracle.ts";
import type { LifeSpan, MomentKind, Moments } from "./moments.ts";
import type { NodeProcess } from "./node-process.ts";

export interface KillRun {
  readonly forge: SandboxServer;
  readonly sender: WebhookSender;
  readonly moments: Moments;
  /** The server under test, each time with the same data. */
  readonly start: () => NodeProcess;
  /** What it says when it is ready. */
  readonly ready: RegExp;
  readonly chance: Chance;
  readonly kills: number;
  /** Drawn from for each of them. */
  readonly kinds: LifeSpan["kinds"];
  readonly pullsMax: number;
  readonly spans: KillSpans;
  /** `stop`: as whoever looks after it ends it in order; it has to end well. */
  readonly manner?: "kill" | "stop";
  /** Told after each of them how many there were: many take hours. */
  readonly onKill?: (kills: number) => void;
}

export interface KillSpans {
  /** Some are killed within this time from their start. */
  readonly bootMsMax: number;
  /** A start that takes longer is a failure. */
  readonly readyMsMax: number;
  /** The others live at most this long once they are ready. */
  readonly lifeMsMax: number;
  /** How long the last one, which nobody kills, may do nothing on the forge while something is missing there. */
  readonly idleMsMax: number;
  /** How long it is watched after that: what is sent twice is sent late. */
  readonly lingerMs: number;
  /** Between two things that people do. */
  readonly deedGapMsMax: number;
}

export interface KillReport {
  /** By the moment at which they came. */
  readonly kills: Readonly<Record<string, number>>;
  readonly pulls: number;
  /** Pulls of which Drover accepted a webhook. */
  readonly accepted: number;
  /** Webhooks by what became of them: `202`, `503`, `refused`, `broken`. */
  readonly webhooks: Readonly<Record<string, number>>;
  /** What the bot did on the forge. */
  readonly effects: number;
  readonly problems: readonly OracleProblem[];
  /** Lives that ended before anybody ended them, or never began, with their last words. */
  readonly failedLives: readonly string[];
  /** Of the last life. */
  readonly output: string;
}

/** Ends a server again and again while people work, lets it catch up once, and judges it from the forge's side. */
export async function runKills(run: KillRun): Promise<KillReport> {
  const { sandbox, people } = run.forge;
  const deeds = createDeeds({ server: run.forge, chance: run.chance, pullsMax: run.pullsMax });
  const judged: Judged = { sandbox, bot: people.drover, sent: run.sender.sent };
  const moments: string[] = [];
  const failedLives: string[] = [];
  for (let kills = 0; kills < run.kills; kills++) {
    const life = run.start();
    const { kind, isLate } = await liveUntilKilled(run, deeds, life);
    if (isLate || life.end() !== null) failedLives.push(lastWords(life));
    if (run.manner !== "stop") await life.kill();
    else if ((await life.stop(stopMsMax)).code !== 0) failedLives.push(lastWords(life));
    moments.push(kind);
    run.onKill?.(moments.length);
  }
  const last = run.start();
  await catchUp(run, judged, last);
  await run.sender.settle();
  if (last.end() !== null) failedLives.push(lastWords(last));
  await last.stop(stopMsMax);
  return {
    kills: countNames(moments),
    pulls: deeds.pulls.length,
    accepted: acceptedPulls(judged).length,
    webhooks: countNames(run.sender.sent.map(outcomeWord)),
    effects: countEffects(run.forge),
    problems: [...findLost(judged), ...findTwice(judged)],
    failedLives,
    output: last.output(),
  };
}

/** As long as a server may take to end in order. */
const stopMsMax = 60_000;

/** People do something every so often, until the moment of this life has come. */
async function liveUntilKilled(run: KillRun, deeds: Deeds, life: NodeProcess): Promise<Lived> {
  const { bootMsMax, lifeMsMax, readyMsMax, deedGapMsMax } = run.spans;
  let isLate = false;
  const ready = life.waitFor(run.ready, readyMsMax).catch(() => {
    // It may also have been killed before: webhooks are taken by a server that is not ready yet.
    isLate = life.end() === null;
  });
  const moment = run.moments.next(run.chance, { ready, kinds: run.kinds, bootMsMax, lifeMsMax });
  while (!moment.hasCome() && life.end() === null) {
    await deeds.next();
    await Promise.race([moment.come, sleep(run.chance.below(deedGapMsMax))]);
  }
  return { kind: moment.kind, isLate };
}

interface Lived {
  readonly kind: MomentKind;
  /** It was not ready in time. */
  readonly isLate: boolean;
}

/** As long as it goes on with its work it is not late: how much there is of it, chance has decided. */
async function catchUp({ spans, ready, forge }: KillRun, judged: Judged, life: NodeProcess): Promise<void> {
  await life.waitFor(ready, spans.readyMsMax).catch(() => undefined);
  let [seen, movedAt] = [0, performance.now()];
  while (life.end() === null && performance.now() - movedAt < spans.idleMsMax) {
    const done = countEffects(forge);
    if (done > seen) [seen, movedAt] = [done, performance.now()];
    if (findLost(judged).length === 0) break;
    await sleep(glanceMs);
  }
  await sleep(spans.lingerMs);
}

/** A glance looks at every pull, in the process that is the forge as well: more of them keep it from answering. */
const glanceMs = 2_000;

function countEffects({ sandbox, people }: KillRun["forge"]): number {
  return sandbox.history.filter(({ by }) => by.id === people.drover.id).length;
}

export function outcomeWord({ outcome }: WebhookSender["sent"][number]): string {
  return outcome.kind === "answered" ? String(outcome.status) : outcome.kind;
}

function countNames(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const lastWordsMax = 2_000;

function lastWords(life: NodeProcess): string {
  return `${JSON.stringify(life.end())} ${life.output().slice(-lastWordsMax)}`;
}
