import type { PullRef } from "#ports/pull-ref.ts";
import { tryTo } from "./deed.ts";
import { noteOrder } from "./deeds-words.ts";
import type { Installation, World } from "./world.ts";

export interface Play {
  readonly world: World;
  readonly installation: Installation;
  readonly pull: PullRef;
  readonly goOn: (ms: number) => Promise<void>;
}

export async function say({ world, installation, pull }: Play, by: World["cast"]["mia"], word: string): Promise<void> {
  if (world.sandbox.look(pull).pull.state !== "open") return;
  await tryTo(world, `${by.login} says ${installation.handle} ${word}`, async () => {
    const comment = await world.sandbox.as(by).comment(pull, `${installation.handle} ${word}`);
    noteOrder(world, { installation, by, word, forMs: null, isWellFormed: true, comment, pull: pull.number });
  });
}
