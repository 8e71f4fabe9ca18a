import { InstanceId } from "#core/model/ids.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import { githubWebhookRequest } from "#github-like/send-github-webhooks.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { short, tableLines } from "./figures.ts";
import { machineWords } from "./machine-words.ts";
import { type Bill, type BilledRequest, billOf, takeRequests } from "./watch-bill.ts";
import { type Changes, changeKinds, changeTimes, createChanges } from "./watch-changes.ts";
import { startWatchingDrover, type WatchingDrover } from "./watch-drover.ts";
import { watchNaively } from "./watch-naive.ts";
import { openWatchSite, type WatchSite } from "./watch-site.ts";

export interface WatchOptions {
  /** How many open pulls, with commas. */
  readonly pulls: string;
  /** Of virtual time, for each case. */
  readonly minutes: number;
  /** Percent of the pulls on which something happens within a minute. */
  readonly changing: number;
  /** Open pulls of one repository at most. */
  readonly repository: number;
  /** Minutes for which the naive way is measured: it costs the same in each of them. */
  readonly naive: number;
}

interface Measured {
  readonly pulls: number;
  readonly name: string;
  readonly bill: Bill;
  readonly minutes: number;
  readonly lateMs: number;
}

/** Issue 5: points for each pull and hour, at the largest number of pulls with nothing changing. */
const goal = { pulls: 1000, pointsMax: 1.3 } as const;

/** What it costs to watch pulls on GitHub, beside the naive way: by the server's own count, on a clock that runs ahead. */
export async function benchWatch(print: (line: string) => void, options: WatchOptions): Promise<void> {
  print(machineWords());
  const measured: Measured[] = [];
  for (const pulls of readCounts(options.pulls)) {
    const site = await openWatchSite({ pulls, perRepository: options.repository });
    const real = Date.now;
    try {
      // The App's key signs by the machine's clock, and the server judges by its own: they are the same one here.
      Date.now = () => site.clock.now();
      measured.push(...(await measure(site, options, (line) => print(`  ${pulls} pulls: ${line}`))));
    } finally {
      Date.now = real;
      await site.close();
    }
  }
  const rows = measured.map((one) => rowOf(one, measured));
  for (const line of ["", ...tableLines(heads, rows), ...goalLines(measured)]) print(line);
}

function readCounts(text: string): readonly number[] {
  const counts = text.split(",").map(Number);
  if (counts.every((count) => Number.isInteger(count) && count > 0)) return counts;
  throw new Error(`expected numbers of pulls such as 10,100: ${text}`);
}

async function measure(
  site: WatchSite,
  options: WatchOptions,
  say: (line: string) => void,
): Promise<readonly Measured[]> {
  const { github, refs } = site;
  const changes = createChanges(site);
  let told = 0;
  const drover = await startWatchingDrover(site, {
    onSpent: ({ points }) => {
      told += points;
    },
    onLook: (pull, seen) => changes.note(pull, seen),
  });
  let hooks: "on" | "off" = "off";
  const pullsOf = webhookReader(site);
  site.sandbox.subscribe((delivery) => {
    if (hooks === "on") for (const pull of pullsOf(delivery)) void drover.poke(pull);
  });
  const perMinute = (refs.length * options.changing) / 100;
  const cases = [
    { name: "nothing changes", hooks: "off", perMinute: 0 },
    { name: `${options.changing} % a minute`, hooks: "off", perMinute },
    { name: `${options.changing} %, webhooks`, hooks: "on", perMinute },
  ] as const;
  const found: Measured[] = [];
  for (const each of cases) {
    say(`${each.name}: Drover comes to rest first`);
    await drover.comeToRest();
    takeRequests(github);
    changes.begin();
    told = 0;
    hooks = each.hooks;
    const { minutes } = options;
    const bill = billOf(await passWithChanges({ site, drover, changes }, minutes * minuteMs, each.perMinute));
    hooks = "off";
    found.push({ pulls: refs.length, name: each.name, bill, minutes, lateMs: changes.lateMsMax("reaction") });
    for (const line of detailLines(bill, { told, changes })) say(`${each.name}: ${line}`);
  }
  const [violation] = github.violations;
  if (violation !== undefined) say(`GitHub's description was violated: ${violation}`);
  const naive = billOf(await watchNaively(site, options.naive));
  return [
    ...found,
    { pulls: refs.length, name: "naive, either", bill: naive, minutes: options.naive, lateMs: 30 * secondMs },
  ];
}

/** Deliveries as GitHub sends them and as `drover serve` reads them: those of its own deeds are not looked into. */
function webhookReader({ sandbox, github, bot }: WatchSite): (delivery: SandboxDelivery) => readonly PullRef[] {
  const secret = "a secret of the bench";
  const isBot = (account: string): boolean => account === bot.id;
  const source = createGithubWebhook({ instance: InstanceId.parse("github"), secrets: [secret], isBot });
  return (delivery) => {
    const { headers, body } = githubWebhookRequest({ sandbox, github }, { delivery, guid: delivery.id, secret });
    const reading = source.read({ headers, body: Buffer.from(body) });
    if (reading.kind === "refused") throw new Error(`a delivery was refused: ${reading.why}`);
    return reading.kind === "reference" ? reading.pulls : [];
  };
}

async function passWithChanges(
  { site, drover, changes }: { readonly site: WatchSite; readonly drover: WatchingDrover; readonly changes: Changes },
  ms: number,
  perMinute: number,
): Promise<readonly BilledRequest[]> {
  const startedAt = site.clock.now();
  const requests: BilledRequest[] = [];
  const passUntil = async (afterMs: number): Promise<void> => {
    // A turn that waits to write may have taken it past the time already.
    await drover.pass(Math.max(0, startedAt + afterMs - site.clock.now()));
    requests.push(...takeRequests(site.github));
  };
  const times = changeTimes(ms, perMinute);
  for (let passedMs = 0, made = 0; passedMs < ms; ) {
    passedMs = Math.min(ms, passedMs + minuteMs);
    for (let at = times[made]; at !== undefined && at < passedMs; at = times[made]) {
      await passUntil(at);
      await changes.make();
      made += 1;
    }
    await passUntil(passedMs);
  }
  return requests;
}

function detailLines(
  { entries, rest, graphql, writes, refused }: Bill,
  { told, changes }: { readonly told: number; readonly changes: Changes },
): readonly string[] {
  const spent = entries.map(({ name, requests, points }) => `${name} ${requests} for ${points}`);
  const late = changeKinds.map((kind) => `${kind} ${short(changes.lateMsMax(kind) / secondMs)}`);
  return [
    `requests for points: ${spent.join(", ")}`,
    `${writes} writes, ${refused} refused; seconds late at most: ${late.join(", ")}; not seen: ${changes.countUnseen()}`,
    ...(told === rest + graphql ? [] : [`the client itself counted ${told} points`]),
  ];
}

const heads = [
  "watched pulls",
  "requests/h",
  "of them 304",
  "REST points/h",
  "GraphQL points/h",
  "points per pull and h",
  "naive is ×",
  "reaction late s",
];

function rowOf({ pulls, name, bill, minutes, lateMs }: Measured, all: readonly Measured[]): readonly string[] {
  const perHour = (value: number): number => (value * hourMs) / (minutes * minuteMs);
  const naive = all.find((one) => one.pulls === pulls && one.name.startsWith("naive"));
  const naivePoints = naive === undefined ? Number.NaN : pointsPerHour(naive);
  return [
    `${pulls}, ${name}`,
    ...[
      perHour(bill.requests),
      perHour(bill.unmodified),
      perHour(bill.rest),
      perHour(bill.graphql),
      pointsPerHour({ bill, minutes }) / pulls,
      naivePoints / pointsPerHour({ bill, minutes }),
      lateMs / secondMs,
    ].map(short),
  ];
}

function pointsPerHour({ bill, minutes }: Pick<Measured, "bill" | "minutes">): number {
  return ((bill.rest + bill.graphql) * hourMs) / (minutes * minuteMs);
}

function goalLines(measured: readonly Measured[]): readonly string[] {
  const quiet = measured.find(({ pulls, name }) => pulls === goal.pulls && name === "nothing changes");
  const words = `goal: at most ${goal.pointsMax} points per pull and hour for ${short(goal.pulls)} pulls with nothing changing`;
  return [
    "",
    quiet === undefined ? words : `${words}; found ${short(pointsPerHour(quiet) / goal.pulls)}`,
    "an installation has 5,000 requests of REST and 5,000 points of GraphQL an hour at least",
  ];
}
