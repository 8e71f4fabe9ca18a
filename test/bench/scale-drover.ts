import * as z from "zod";
import { operatorConfig } from "#app/config/read-operator-config.ts";
import { consoleLog } from "#app/console-log.ts";
import { noModels } from "#app/models/open-models.ts";
import { createSecretRegistry } from "#app/secrets/secret-registry.ts";
import { type Installation, openInstallation } from "#app/serve/installation.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { makeSecret } from "#config/secret.ts";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { RepositoryId } from "#core/model/ids.ts";
import { openDatabase } from "#database/open-database.ts";
import type { Log } from "#ports/log.ts";
import { tickEntry } from "#ports/tick-entry.ts";
import { answerParent } from "./answer-parent.ts";
import { createKnowingGit } from "./scale-git.ts";

/**
 * `drover serve` without its door: the database, the queue, the workers and pollers, as src/app/serve puts them together.
 * It counts its own ticks by the lines that it logs for them.
 */
const Ref = z.object({ repository: z.object({ id: RepositoryId, name: z.string() }), number: z.number() });

const Start = z.object({
  kind: z.literal("start"),
  config: operatorConfig,
  token: z.string(),
  place: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("embedded"), folder: z.string() }),
    z.object({ kind: z.literal("postgres"), url: z.string() }),
  ]),
});

const Order = z.discriminatedUnion("kind", [
  Start,
  z.object({ kind: z.literal("poke"), refs: z.array(Ref) }),
  z.object({ kind: z.literal("count") }),
  /** As `count`, and whether nothing is left to be looked at for some time. */
  z.object({ kind: z.literal("rest") }),
]);

const clock = createSystemClock();
const tally = { ticks: 0, lastTickAt: 0, pulls: new Set<string>() };
const log = countingLog(consoleLog({ write: (line) => process.stdout.write(line), clock }));

let running: { readonly installation: Installation; readonly stop: () => Promise<void> } | undefined;

answerParent(
  async (message) => {
    const order = Order.parse(message);
    if (order.kind === "start") {
      running = await start(order);
      return {};
    }
    if (running === undefined) throw new Error("it has not been started");
    if (order.kind === "poke") await pokeOnly(running.installation, order.refs);
    const { ticks, lastTickAt, pulls } = tally;
    const counted = { ticks, lastTickAt, pulls: pulls.size };
    if (order.kind !== "rest") return { ...counted, isAtRest: false };
    const dueAt = await running.installation.dependencies.queue.nextDue(["tick"]);
    return { ...counted, isAtRest: dueAt === undefined || dueAt > Date.now() + restMsMin };
  },
  async () => running?.stop(),
);

async function start({ config, token, place }: z.infer<typeof Start>): Promise<NonNullable<typeof running>> {
  const [forge] = config.forges;
  if (forge === undefined) throw new Error("there is no forge");
  const database = await openDatabase(place, { log });
  const secrets = createSecretRegistry(log);
  secrets.register({ name: "token", value: token });
  const installation = await openInstallation({
    forge,
    key: { kind: "token", token: makeSecret(token) },
    database,
    git: createKnowingGit(),
    clock,
    log,
    secret: makeBlockSecret(new Uint8Array(secretBytes)),
    // As a server has it: the cost of looking for them is part of what is measured.
    secrets,
    workers: config.workers,
    limits: config.limits,
    rules: () => config.rules,
    models: () => noModels,
  });
  installation.begin();
  return {
    installation,
    stop: async () => {
      await installation.stop();
      await database.close();
    },
  };
}

/** What is due only then is due because time itself will have changed something: an approval that nobody gave. */
const restMsMin = 5 * 60_000;

/** Replicas know each other's notes. */
const secretBytes = 32;

/** Without the reminders that a webhook brings along: each is one tick and no more. */
async function pokeOnly({ dependencies }: Installation, refs: readonly z.infer<typeof Ref>[]): Promise<void> {
  await dependencies.queue.putAll(refs.map((pull) => tickEntry(dependencies.instance, pull)));
}

function countingLog(inner: Log): Log {
  return {
    ...inner,
    info: (facts, message) => {
      inner.info(facts, message);
      if (!tickMessages.has(message)) return;
      tally.ticks += 1;
      tally.lastTickAt = Date.now();
      tally.pulls.add(`${String(facts["repository"])}#${String(facts["number"])}`);
    },
  };
}

/** What src/app/serve/log-tick.ts says. */
const tickMessages = new Set(["ticked a pull", "earlier effects are settled", "the forge gave a stale answer"]);
