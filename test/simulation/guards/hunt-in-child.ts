import { readFileSync } from "node:fs";
import * as z from "zod";
import { type HuntOrder, type HuntWord, hunt, type RunSeed, seedsOf } from "./hunt.ts";

const Order: z.ZodType<HuntOrder> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("many"), last: z.number(), skip: z.number() }),
  z.object({ kind: z.literal("one"), seed: z.number() }),
]);

/** The whole of the child process: the order comes in on standard input, words go out on standard output. */
export async function huntInChild(runSeed: RunSeed, corpus: readonly number[]): Promise<void> {
  const order = Order.parse(JSON.parse(readFileSync(0, "utf8")));
  await hunt(seedsOf(order, corpus), runSeed, say);
  // Whatever the simulated world left behind must not keep the process alive.
  process.exit(0);
}

/** Written in one piece and at once: standard output is a pipe here. */
function say(word: HuntWord): void {
  process.stdout.write(`${JSON.stringify(word)}\n`);
}
