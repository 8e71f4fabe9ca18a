import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import type { Account, Permission } from "#core/model/account.ts";
import { type AccountId, InstanceId } from "#core/model/ids.ts";
import { instant, minuteMs } from "#core/model/instant.ts";
import { Rules } from "#core/model/rules.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import type { Queue } from "#ports/queue.ts";
import type { Random } from "#ports/random.ts";
import { createMemoryQueue } from "#queues/memory-queue.ts";
import { createMemoryStore } from "#store/memory-store.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { type Cast, createCast, drawPermissions } from "./cast.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { codePath, nextPath, suggestedPath } from "./content.ts";
import { drawLines, markerBy } from "./deeds-code.ts";
import { ringAll, type Workshop } from "./drover-worker.ts";
import { createFigures } from "./figures.ts";
import { type Scene, secretsScene } from "./scenes.ts";
import { createScheduler, type Scheduler } from "./scheduler.ts";
import { firstText, removedText } from "./suggestions.ts";
import { drawWeather } from "./weather.ts";
import { addFact, type Installation, note, type World } from "./world.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly off: ReadonlySet<string>;
  readonly isTracing: boolean;
  readonly target: { readonly crossing: string; readonly time: number } | null;
  readonly scene: Scene | null;
}

const start = instant(1_767_258_000_000);

/** A forge with a repository and a pull or two, before any Drover has looked at it. */
export async function buildWorld(options: WorldOptions): Promise<Pick<Workshop, "world" | "random" | "chance">> {
  const { seed, off } = options;
  // Chance in several streams: switching a fault off must not change what people do.
  const [people, machines, troubles] = [chanceOf(seed), chanceOf(seed ^ 0x5bd1e995), chanceOf(seed ^ 0x1b873593)];
  const scheduler = createScheduler(start);
  const clock = forgeClock(scheduler);
  const random = seededRandom();
  const figures = createFigures();
  const weather = drawWeather({ chance: troubles, figures, off, target: options.target, scene: options.scene });
  const hub = createMemoryHub();
  const manner = people.isTrue(0.5) ? "github" : "gitea";
  const sandbox = createSandbox({ host: createMemoryHost(hub), clock, manner, faults: weather.forgeFaults });
  const cast = createCast(sandbox);
  const repository = await sandbox.createRepository({
    name: "acme/tools",
    by: cast.mia,
    files: filesFor(options.scene),
  });
  await sandbox.as(cast.mia).push({ repository, branch: "next", changes: { [nextPath]: "1\n" }, message: "next" });
  const permissions = new Map<AccountId, Permission>([[cast.mia.id, "admin"]]);
  for (const [account, permission] of drawPermissions(cast, people)) {
    sandbox.setPermission({ repository, account, permission });
    permissions.set(account.id, permission);
  }
  const world: World = {
    seed,
    scene: options.scene,
    scheduler,
    chance: people,
    sandbox,
    hub,
    cast,
    permissions,
    repository,
    pulls: [],
    facts: [],
    installations: [],
    weather,
    figures,
    off,
    trace: [],
    isTracing: options.isTracing,
    problem: null,
    historyRead: 0,
    factsRead: 0,
    isEnding: false,
    restsSince: null,
    suggestions: { made: [], applied: new Map() },
    minds: { spoken: new Map(), deleted: new Set(), echoes: 0, nextName: 1, areReviewersDown: false },
  };
  addInstallations(world, { clock, random, cast, scene: options.scene });
  note(world, `${manner} manners, ${weather.name}, ${world.installations.length} installations`);
  return { world, random, chance: machines };
}

const firstFiles = { "README.md": "A tool.\n", "base.txt": "0\n", ".github/workflows/ci.yml": "on: [push]\n" };

function filesFor(scene: Scene | null): Readonly<Record<string, string>> {
  if (scene === "suggestions") return { ...firstFiles, [suggestedPath]: removedText };
  return scene === "code owners" ? { ...firstFiles, CODEOWNERS: "src/ @rita\n" } : firstFiles;
}

function forgeClock(scheduler: Scheduler): Clock {
  return { now: () => scheduler.now(), sleep: (ms) => scheduler.pass(null, ms) };
}

/** Nobody in the simulated world guesses, so counting is enough. */
function seededRandom(): Random {
  let count = 0;
  return { token: () => `token${++count}` };
}

interface Shared {
  readonly clock: Clock;
  readonly random: Random;
  readonly cast: Cast;
  readonly scene: Scene | null;
}

function addInstallations(world: World, shared: Shared): void {
  const { chance } = world;
  const isPair = chance.isTrue(0.15) && world.sandbox.manner === "github" && !world.off.has("shepherd");
  add(world, shared, { name: "drover", bot: shared.cast.drover });
  if (isPair) add(world, shared, { name: "shepherd", bot: shared.cast.shepherd });
  // Another job with the same account, another role and another secret.
  if (shared.scene === secretsScene) add(world, shared, { name: "sibling", bot: { ...shared.cast.drover } });
}

function add(world: World, shared: Shared, made: { readonly name: string; readonly bot: Account }): void {
  const { chance } = world;
  const isStaged = shared.scene === "session" && made.name === "drover";
  const drawn = drawRules(chance, `@${made.name}`, made.name === "drover");
  const rules = made.name === "shepherd" ? drawn : rulesFor(shared.scene, drawn, made.name);
  const installation: Installation = {
    ...made,
    instance: InstanceId.parse(made.name),
    handle: `@${made.name}`,
    // Jobs that share an account have a gate each, as the operator has been told.
    gateName: made.name === "sibling" ? "drover/security" : undefined,
    secret: makeBlockSecret(new TextEncoder().encode(`${made.name}: a secret of the simulated world`)),
    finds: findsFor(shared.scene, made.name),
    rules,
    budgets: shared.scene === "budget" ? { pullUsd: budgetMicroUsd / 1_000_000, allowUnpriced: false } : null,
    paidMicroUsd: new Map(),
    store: createMemoryStore(),
    queue: createMemoryQueue(shared),
    emptyQueue: () => ringingQueue(createMemoryQueue(shared), installation),
    kinds: new Map(),
    workers: [],
    // What an evil model makes of a question proves nothing about questions.
    modelMood: chance.isTrue(0.4) && shared.scene !== "questions" ? "evil" : "good",
    agentMood: chance.isTrue(0.4) && !isStaged ? "evil" : "good",
    lastPause: null,
    pauses: new Map(),
    lostAt: null,
    retriedTicks: new Set(),
    pushed: new Set(),
    isOneShot: false,
  };
  installation.queue = installation.emptyQueue();
  world.installations.push(installation);
}

/** A queue that wakes idle workers when there is something new in it, or somebody has taken something. */
function ringingQueue(queue: Queue, installation: Installation): Queue {
  const ringing =
    <Arguments extends readonly unknown[], Answer>(call: (...args: Arguments) => Promise<Answer>) =>
    async (...args: Arguments): Promise<Answer> => {
      const answer = await call(...args);
      if (answer !== null) ringAll(installation);
      return answer;
    };
  return {
    ...queue,
    put: ringing((entry: Parameters<Queue["put"]>[0]) => queue.put(entry)),
    putAll: ringing((entries: Parameters<Queue["putAll"]>[0]) => queue.putAll(entries)),
    claim: ringing((request: Parameters<Queue["claim"]>[0]) => queue.claim(request)),
    finish: ringing((entry: Parameters<Queue["finish"]>[0]) => queue.finish(entry)),
    retry: ringing((...retried: Parameters<Queue["retry"]>) => {
      const [{ queue: name }, at] = retried;
      if (name === "tick") installation.retriedTicks.add(at);
      return queue.retry(...retried);
    }),
  };
}

/** So much as three reviews and some answers. */
const budgetMicroUsd = 3_300;

function rulesFor(scene: Scene | null, rules: Rules, name: string): Rules {
  const { fix, merge, approval, reviews } = rules;
  switch (scene) {
    case "session":
    case "signs against fixing":
      return { ...rules, fix: { ...fix, onFeedback: true } };
    case "suggestions":
      // In the other half of the lives somebody has to ask for it.
      return { ...rules, fix: { ...fix, onFeedback: rules.humans.length === 0 } };
    case "request":
      return { ...rules, reviews: { ...reviews, tellsEnd: true } };
    case "sentences":
      return { ...rules, merge: { ...merge, when: "on_command" }, reviews: { ...reviews, automatic: "enabled" } };
    case "code owners":
      return { ...rules, approval: { ...approval, requiresCodeOwners: true } };
    case "short time-out":
      return { ...rules, approval: { ...approval, timeoutMs: 3 * minuteMs } };
    case "reviews switched off":
      return { ...rules, reviews: { ...reviews, automatic: "enabled" } };
    case secretsScene: {
      const role = { name: name === "sibling" ? "security" : "general", reviewer: "rules" as const };
      return { ...rules, reviews: { ...reviews, automatic: "enabled", roles: [role] } };
    }
    default:
      return rules;
  }
}

/** Of two jobs with a role each, one finds what the other does not. */
function findsFor(scene: Scene | null, name: string): Installation["finds"] {
  if (scene !== secretsScene || name === "shepherd") return () => true;
  const rest = name === "sibling" ? 1 : 0;
  return (defect) => Number(/\d+$/.exec(defect.name)?.[0] ?? 0) % 2 === rest;
}

function drawRules(chance: Chance, handle: string, isFirst: boolean): Rules {
  return Rules.parse({
    handle,
    humans: chance.isTrue(0.5) ? ["mia"] : [],
    reviews: {
      automatic: chance.isTrue(0.15) ? "disabled" : "enabled",
      roles: chance.isTrue(0.35) ? twoRoles : [{ name: "general", reviewer: "model" }],
    },
    approval: {
      protocols: chance.pick(["emoji", "reviews", "both", "both"]),
      pollMs: 20 * minuteMs,
    },
    merge: {
      // Two that merge the same pull would only be in each other's way.
      when: isFirst ? chance.pick(["when_approved", "when_approved", "on_command", "never"]) : "never",
      how: chance.isTrue(0.2) ? "queue" : "direct",
      // Another Drover's gate is a check like any other: it must not stand for the build.
      requiredChecks: ["build"],
    },
    fix: { onFeedback: isFirst && chance.isTrue(0.25), onRedChecks: isFirst && chance.isTrue(0.15) },
  });
}

const twoRoles = [
  { name: "general", reviewer: "rules" },
  { name: "security", reviewer: "model" },
];

export async function openPulls(world: World): Promise<void> {
  const { chance, sandbox, cast, repository } = world;
  const count = chance.isTrue(0.15) ? 2 : 1;
  for (let number = 1; number <= count; number++) {
    const branch = `feature-${number}`;
    // A second file, so that a reviewer can leave something unread.
    const files = { [codePath]: `${drawLines(world).join("\n")}\n`, "src/other.ts": "export const other = 1;\n" };
    const changes = world.scene === "suggestions" ? { ...files, [suggestedPath]: firstText } : files;
    await sandbox.as(cast.ada).push({ repository, branch, changes, message: "a feature" });
    const handle = chance.pick(world.installations).handle;
    const isMarked = chance.isTrue(0.1);
    const body = isMarked ? `Adds some code. ${handle} disable-reviews` : "Adds some code.";
    const ref = await sandbox
      .as(cast.ada)
      .openPull({ repository, branch, base: "main", title: "A feature", body, isDraft: chance.isTrue(0.1) });
    world.pulls.push(ref);
    note(world, `ada opens pull ${ref.number}${isMarked ? " with a marker in its description" : ""}`);
    for (const { name, handle: own, rules } of world.installations) {
      const roles = rules.reviews.roles.map((role) => role.name);
      addFact(world, { kind: "roles", pull: ref.number, installation: name, roles });
      if (!isMarked || own !== handle) continue;
      addFact(world, { kind: "marked", pull: ref.number, installation: name, marker: markerBy(world, cast.ada) });
    }
  }
}
