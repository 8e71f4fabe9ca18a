import { describe, expect, it } from "vitest";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { InstanceId } from "#core/model/ids.ts";
import { hourMs } from "#core/model/instant.ts";
import { endlessProblem } from "./oracle-siblings.ts";
import { makeMergeable, read, type Stage, setStage } from "./oracle-stage.ts";
import { attend } from "./run-seed.ts";
import type { Installation } from "./world.ts";

/** Two jobs with one account: what each does is done through a client of its own. */
async function setPair() {
  const stage = await setStage();
  const { world, installation } = stage;
  const sibling: Installation = {
    ...installation,
    name: "sibling",
    bot: { ...installation.bot },
    instance: InstanceId.parse("sibling"),
    handle: "@sibling",
    secret: makeBlockSecret(new Uint8Array(32).fill(7)),
  };
  world.installations.push(sibling);
  const clientOf = (one: Installation) => world.sandbox.clientOf(one.bot);
  for (const one of world.installations) read(world, one, { pull: stage.pull.number, head: stage.head() });
  return { stage, own: clientOf(installation), other: clientOf(sibling) };
}

async function ask({ pull, head }: Stage, forge: Stage["bot"]): Promise<void> {
  const body = `<!-- drover:review security ${"0".repeat(32)} -->\nNo.`;
  await forge.submitReview({ pull, head: head(), event: "request_changes", body, remarks: [] });
}

describe("of two jobs with one account and different secrets, the oracle notices one that", () => {
  it("approves over what the other asks for, and not one that had no time to see it", async () => {
    const { stage, own, other } = await setPair();
    const { world, pull, head, pass } = stage;
    const approve = async () =>
      await own.submitReview({ pull, head: head(), event: "approve", body: "Fine.", remarks: [] });
    await ask(stage, other);
    await approve();
    attend(world);
    expect(world.problem).toBeNull();
    await pass(hourMs);
    await approve();
    attend(world);
    expect(world.problem).toContain("approves over what its sibling asks for");
  });

  it("merges over what the other asks for", async () => {
    const { stage, own, other } = await setPair();
    await makeMergeable(stage);
    await ask(stage, other);
    await stage.pass(hourMs);
    await own.merge({ pull: stage.pull, head: stage.head() });
    attend(stage.world);
    expect(stage.world.problem).toContain("merges over what its sibling asks for");
  });

  it("edits or dismisses a review of the other", async () => {
    for (const isEdit of [true, false]) {
      const { stage, own, other } = await setPair();
      const { world, pull } = stage;
      await ask(stage, other);
      attend(world);
      const review = world.sandbox.look(pull).reviews.at(-1)?.id;
      if (review === undefined) throw new Error("nobody asked for changes");
      if (isEdit) await own.editReview({ pull, review, body: "Never mind." });
      else await own.dismissReview({ pull, review, words: "Never mind." });
      attend(world);
      expect(world.problem).toContain("touches a review of its sibling");
    }
  });

  it("edits a comment of the other", async () => {
    const { stage, own, other } = await setPair();
    const { world, pull } = stage;
    await other.createComment({ pull, body: "Here I stand." });
    const comment = world.sandbox.look(pull).comments.at(-1)?.id;
    if (comment === undefined) throw new Error("nobody said anything");
    await own.editComment({ pull, comment, body: "And here am I." });
    attend(world);
    expect(world.problem).toContain("touches a comment of its sibling");
  });

  it("still has something to say when everybody has been at home for hours", async () => {
    const { stage, own } = await setPair();
    const { world, pull, pass, installation } = stage;
    world.restsSince = world.scheduler.now();
    await pass(3 * hourMs);
    expect(endlessProblem(world, installation)).toBeNull();
    await own.createComment({ pull, body: "One more thing." });
    expect(endlessProblem(world, installation)).toContain("goes on without end");
  });
});
