import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommentId } from "#core/model/ids.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { NodeProcess } from "./node-process.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const timeout = 600_000;

let world: ServeWorld;
beforeEach(async () => {
  world = await openServeWorld();
  await world.side.configure({
    rules: { approval: { pollMs: 3_600_000 }, merge: { when: "on_command", requireCI: false } },
  });
});
afterEach(() => world.close());

const sentences = [
  "@drover merge conflicts are my main worry here, please do not land this before Monday.",
  "@drover merge? No, wait for the release.",
  "It is done so:\n\n    @drover merge",
] as const;

describe("a server where pulls are merged on command", () => {
  it("does not merge because a sentence begins with the command", { timeout }, async () => {
    const node = await world.ready();
    const pull = await approvedPull(node);
    const said: CommentId[] = [];
    for (const words of sentences) said.push(await world.side.forge.sandbox.as(people().rita).comment(pull, words));
    // By the second answer everything that follows from the first look has been done.
    for (let times = 0; times < 2; times++) await answered(node, pull, "@drover status");
    const { merged, commentReactions } = look(pull);
    expect(merged).toBeNull();
    expect(commentReactions.filter(({ comment }) => said.includes(comment))).toEqual([]);
    await answered(node, pull, "@drover merge, please.");
    await until(() => look(pull).merged !== null, node.output);
  });
});

function people() {
  return world.side.forge.people;
}

function look(pull: PullRef) {
  return world.side.forge.sandbox.look(pull);
}

async function approvedPull(node: NodeProcess): Promise<PullRef> {
  const { sandbox, repositories } = world.side.forge;
  const [repository] = repositories;
  if (repository === undefined) throw new Error("there is no repository");
  const ada = sandbox.as(people().ada);
  const changes = { "src/sum.ts": "export const sum = (a: number, b: number): number => a + b;\n" };
  await ada.push({ repository, branch: "sum", changes, message: "Add a sum" });
  const pull = await ada.openPull({ repository, branch: "sum", base: "main", title: "Add a sum", body: "Please." });
  await until(() => look(pull).gates.at(-1)?.state === "success", node.output);
  await sandbox.as(people().mia).react(pull, "+1");
  return pull;
}

/** Says it, and waits for the reaction. */
async function answered(node: NodeProcess, pull: PullRef, words: string): Promise<void> {
  const said = await world.side.forge.sandbox.as(people().rita).comment(pull, words);
  await until(() => look(pull).commentReactions.some(({ comment }) => comment === said), node.output);
}
