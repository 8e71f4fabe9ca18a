import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askServer } from "./ask-server.ts";
import { bundleEntry } from "./bundle-entry.ts";
import { leaveScratch } from "./leave-scratch.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import type { Plant } from "./plant.ts";
import { slowReview, slowReviewWords } from "./plants.ts";
import { serveIsReady } from "./serve-command.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const msMax = 120_000;
const timeout = 2 * msMax;

let world: ServeWorld;
beforeEach(async () => {
  world = await openServeWorld();
});
afterEach(() => world.close());

/** `drover queue` on the folder of the server. */
async function queue(...args: readonly string[]): Promise<NodeProcess> {
  return await drover("queue", ...args);
}

async function drover(...args: readonly string[]): Promise<NodeProcess> {
  const script = await bundleEntry("src/cli/drover.ts");
  const node = startNode({ script, args: [...args, "--data", world.side.dataFolder], env: {} });
  await node.ended(msMax);
  return node;
}

/** Goes on with its start when somebody has asked whether it is ready: on a busy machine nobody might come in time. */
const waitsToBeAsked: readonly Plant[] = [
  {
    file: "src/app/serve/request-dependencies.ts",
    text: 'isReady: () => ({ kind: "not_ready", why: "starting" }),',
    instead: 'isReady: () => ((globalThis.plantedAsked = true), { kind: "not_ready", why: "starting" }),',
  },
  {
    file: "src/app/serve/serve.ts",
    text: "    backend = await openBackend(",
    instead: `    while (!globalThis.plantedAsked) await new Promise((resolve) => setTimeout(resolve, 10));
    backend = await openBackend(`,
  },
];

/** Everything that was answered to this question until the server was ready, each answer once. */
async function answersUntilReady(node: NodeProcess, path: string): Promise<ReadonlySet<string>> {
  const answers = new Set<string>();
  const look = async (): Promise<void> => {
    const { status, body } = await askServer(world.side.port, path);
    answers.add(status === "refused" ? status : `${status} ${body.trim()}`);
  };
  await until(
    async () => {
      await look();
      return serveIsReady.test(node.output());
    },
    () => node.output(),
  );
  await look();
  return answers;
}

describe("a server on its own folder", () => {
  it("says that it is not ready until its database is, and that it lives from the first moment", {
    timeout,
  }, async () => {
    const node = await world.serve({ plants: waitsToBeAsked });
    const [readiness, health] = await Promise.all([
      answersUntilReady(node, "/readyz"),
      answersUntilReady(node, "/healthz"),
    ]);
    expect([...readiness]).toEqual(["refused", "503 starting", "200 ready"]);
    expect([...health]).toEqual(["refused", "200 ok"]);
  });

  it("keeps a second one out, and answers to the command line in its place", { timeout }, async () => {
    const first = await world.ready();
    const inUse = await leaveScratch(world);
    const second = await world.serve({ index: 1, dataFolder: world.side.dataFolder });
    expect(await second.ended(msMax)).toEqual({ code: 2, signal: null });
    expect(await readFile(inUse, "utf8")).toBe("in use");
    expect(second.output()).toMatch(new RegExp(`in use by process ${first.pid} `));
    await world.openPull();
    expect(await world.rest()).toBe("");
    const asked = await queue("--json");
    expect(asked.end()).toEqual({ code: 0, signal: null });
    expect(JSON.parse(asked.output())).toMatchObject({ buried: [] });
    const cost = await drover("cost", "--by", "model");
    expect(cost.output()).toContain("No model was asked since");
    expect((await askServer(world.side.port, "/metrics")).body).toContain(
      'drover_queue_buried{forge="sandbox",queue="tick"} 0\n',
    );
    // The first one was disturbed by none of them.
    expect(first.end()).toBeNull();
    const retry = await queue("retry", "--forge", "sandbox", "--queue", "tick", "--key", "nothing");
    expect(retry.output()).toContain("no entry is quarantined under that key");
    expect(await first.stop(msMax)).toEqual({ code: 0, signal: null });
    expect((await queue()).end()).toEqual({ code: 0, signal: null });
  });

  it("takes in a webhook over HTTP, and obeys the command that it led to once", { timeout }, async () => {
    const node = await world.ready();
    const { sandbox, people: of } = world.side.forge;
    const pull = await world.openPull();
    expect(await world.rest()).toBe("");
    const comment = await sandbox.as(of.rita).comment(pull, "@drover hold");
    const isHeld = async (): Promise<boolean> =>
      sandbox.look(pull).comments.some(({ body }) => body.includes("held by `rita`"));
    await until(isHeld, () => node.output());
    expect(await world.rest()).toBe("");
    const { commentReactions } = sandbox.look(pull);
    const signs = commentReactions.filter((one) => one.comment === comment && one.author.id === of.drover.id);
    expect(signs.map(({ content }) => content)).toEqual(["+1"]);
    const { body: metrics } = await askServer(world.side.port, "/metrics");
    expect(metrics).toMatch(/^drover_webhooks_total\{.*outcome="taken".*\} [1-9]/m);
  });

  it("ends at once, as failed, when its folder has become another's", { timeout }, async () => {
    const node = await world.ready();
    const folder = join(world.side.dataFolder, "database");
    for (const name of await readdir(folder)) if (name.startsWith("lock.")) await rm(join(folder, name));
    expect(await node.ended(msMax)).toEqual({ code: 1, signal: null });
    expect(node.output()).toMatch(/^drover: The folder .* belongs to another process now/m);
    expect(node.output()).toContain("the data folder belongs to another process: the server ends at once");
  });

  it("reads no other configuration once it was told to end", { timeout }, async () => {
    // What is running is waited for this long, and meanwhile the signal has to be heard.
    await world.side.configure({ stopMs: 20_000 });
    const node = await world.ready({ plants: [slowReview] });
    await world.openPull();
    await node.waitFor(new RegExp(slowReviewWords), msMax);
    node.signal("SIGTERM");
    await node.waitFor(/^drover: stopping/m, msMax);
    node.signal("SIGHUP");
    await node.waitFor(/nothing was changed: the server is stopping/, msMax);
    expect(await node.ended(msMax)).toEqual({ code: 0, signal: null });
  });

  it("ends in order while it starts, and the next one has everything", { timeout }, async () => {
    const node = await world.serve();
    await until(
      async () => (await askServer(world.side.port, "/healthz")).status === 200,
      () => node.output(),
    );
    node.signal("SIGHUP");
    node.signal("SIGTERM");
    expect(await node.ended(msMax)).toEqual({ code: 0, signal: null });
    await world.ready();
    await world.openPull();
    expect(await world.rest()).toBe("");
  });
});
