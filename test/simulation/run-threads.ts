import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { Scene } from "./scenes.ts";
import { runShard, type ShardResult } from "./shard.ts";

/** Few enough to be handed out evenly, many enough to be worth the trip. */
const shardSeeds = 25;

/**
 * Runs seeds on several threads, each on this very module, and answers with each result as it comes. One thread is this
 * one: no other is started.
 */
export async function runThreads(options: {
  readonly seeds: readonly number[];
  readonly threads: number;
  readonly scene: Scene | undefined;
  readonly onResult: (result: ShardResult) => void;
}): Promise<void> {
  const shards = intoShards(options.seeds);
  if (options.threads <= 1) {
    for (const shard of shards) options.onResult(await runShard(shard, options.scene));
    return;
  }
  const threads = Array.from({ length: Math.min(options.threads, shards.length) }, () => startThread(options.scene));
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (let shard = shards.shift(); shard !== undefined; shard = shards.shift())
          options.onResult(await thread.run(shard));
      }),
    );
  } finally {
    await Promise.all(threads.map((thread) => thread.stop()));
  }
}

function intoShards(seeds: readonly number[]): (readonly number[])[] {
  const shards: (readonly number[])[] = [];
  for (let at = 0; at < seeds.length; at += shardSeeds) shards.push(seeds.slice(at, at + shardSeeds));
  return shards;
}

interface Thread {
  run(seeds: readonly number[]): Promise<ShardResult>;
  stop(): Promise<unknown>;
}

/** A thread that loads the bundle in which this code lies, and runs what it is sent. */
function startThread(scene: Scene | undefined): Thread {
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    const loaded = import(workerData.module);
    parentPort.on("message", async (seeds) => {
      const { runShard } = await loaded;
      parentPort.postMessage(await runShard(seeds, workerData.scene));
    });`;
  const worker = new Worker(source, {
    eval: true,
    workerData: { module: import.meta.url, scene },
    // A life leaves much garbage and keeps nothing: with room for it, less of it is moved about.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });
  let waiting: { readonly resolve: (result: ShardResult) => void; readonly reject: (error: unknown) => void } | null =
    null;
  worker.on("message", (message: unknown) => waiting?.resolve(ShardMessage.parse(message)));
  worker.on("error", (error) => waiting?.reject(error));
  return {
    run: (seeds) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window.
        worker.postMessage(seeds);
      }),
    stop: () => worker.terminate(),
  };
}

const numbers = z.record(z.string(), z.number());
const ShardMessage = z.object({
  counts: z.object({
    effects: numbers,
    faults: numbers,
    crossings: numbers,
    crashes: numbers,
    sightings: numbers,
    totals: z.object({
      ticks: z.number(),
      takeovers: z.number(),
      duplicates: z.number(),
      converged: z.number(),
      virtualMs: z.number(),
      events: z.number(),
      changes: z.number(),
      questions: z.number(),
      arguments: z.number(),
    }),
  }),
  failures: z.array(z.object({ seed: z.number(), problem: z.string() })),
  seeds: z.number(),
});

export { runShard };
