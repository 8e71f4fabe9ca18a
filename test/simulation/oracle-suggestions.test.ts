import { describe, expect, it } from "vitest";
import { suggestedPath } from "./content.ts";
import { type Stage, setStage } from "./oracle-stage.ts";
import { attend } from "./run-seed.ts";
import { firstText, suggestedLines } from "./suggestions.ts";

interface Suggested {
  readonly stage: Stage;
  readonly push: (text: string) => Promise<void>;
  readonly reply: (body: string) => Promise<void>;
}

/** Somebody suggests another second line, and whoever has the bot's token may do with it as they like. */
async function setSuggestion(by: "rita" | "otto" = "rita"): Promise<Suggested> {
  const stage = await setStage();
  const { world, installation, pull, head, bot } = stage;
  const { sandbox, cast, repository } = world;
  Object.assign(world, { scene: "suggestions" });
  const { fix } = installation.rules;
  installation.rules = { ...installation.rules, fix: { ...fix, onFeedback: true } };
  const changes = { [suggestedPath]: firstText };
  await sandbox.as(cast.ada).push({ repository, branch: "feature-1", changes, message: "functions" });
  attend(world);
  const remark = { path: suggestedPath, side: "new", lines: { first: 2, last: 2 }, body: "Another one." } as const;
  await sandbox.as(cast[by]).review(pull, { event: "comment", body: "", remarks: [remark] });
  const thread = sandbox.look(pull).threads.at(-1)?.id;
  if (thread === undefined) throw new Error("nobody suggested anything");
  world.suggestions.made.push({
    pull: pull.number,
    thread,
    by: cast[by].id,
    factsBefore: world.facts.length,
    commit: head(),
    side: "new",
    first: 1,
    before: suggestedLines(world, head()).slice(1, 2),
    after: ["  return 7;"],
  });
  return {
    stage,
    push: async (text) => {
      const push = { repository, branch: "feature-1", changes: { [suggestedPath]: text }, message: "fixed" };
      await sandbox.as(installation.bot).push(push);
      attend(world);
    },
    reply: async (body) => {
      await bot.replyInThread({ pull, thread, body });
      attend(world);
    },
  };
}

const right = firstText.replace("return 1;", "return 7;");
const refusal = "This suggestion was not applied. The lines read differently.";

describe("of suggestions, the oracle", () => {
  it("lets a bot apply one and say so", async () => {
    const { stage, push, reply } = await setSuggestion();
    await push(right);
    await reply("Addressed in `1234567`. Please have another look.");
    expect(stage.world.problem).toBeNull();
  });

  it.each([
    ["puts it on another line", firstText.replace("return 2;", "return 7;")],
    ["changes something else besides", right.replace("f4", "f5")],
    ["keeps the line that is replaced", firstText.replace("  return 1;", "  return 1;\n  return 7;")],
  ])("notices a bot that %s", async (_, text) => {
    const { stage, push } = await setSuggestion();
    await push(text);
    expect(stage.world.problem).toContain("pushes something else than what was suggested");
  });

  it("notices a bot that applies what a stranger suggests", async () => {
    const { stage, push } = await setSuggestion("otto");
    await push(right);
    expect(stage.world.problem).toContain("pushes something else than what was suggested");
  });

  it("notices a bot that applies one whose line was written anew", async () => {
    const { stage, push } = await setSuggestion();
    const { sandbox, cast, repository } = stage.world;
    const changes = { [suggestedPath]: firstText.replace("return 1;", "return 0;") };
    await sandbox.as(cast.ada).push({ repository, branch: "feature-1", changes, message: "anew" });
    await push(right);
    expect(stage.world.problem).toContain("pushes something else than what was suggested");
  });

  it("notices a bot that says it addressed one and did not", async () => {
    const { stage, reply } = await setSuggestion();
    await reply("Addressed in `1234567`. Please have another look.");
    expect(stage.world.problem).toContain("addressed what it did not apply");
  });

  it("notices a bot that refuses what it could have applied, or has applied", async () => {
    const able = await setSuggestion();
    await able.reply(refusal);
    expect(able.stage.world.problem).toContain("could have applied");
    const done = await setSuggestion();
    await done.push(right);
    await done.reply(refusal);
    expect(done.stage.world.problem).toContain("that it has applied");
  });

  it("lets a bot refuse one where nobody can tell which of two lines that read alike is meant", async () => {
    const { stage, reply } = await setSuggestion();
    const { sandbox, cast, repository } = stage.world;
    const changes = { [suggestedPath]: firstText.replace("  return 1;\n", "  return 1;\n  return 1;\n") };
    await sandbox.as(cast.ada).push({ repository, branch: "feature-1", changes, message: "twice" });
    attend(stage.world);
    await reply(refusal);
    expect(stage.world.problem).toBeNull();
  });

  it("notices a bot that refuses the same suggestion twice", async () => {
    const { stage, reply } = await setSuggestion();
    const { sandbox, cast, repository } = stage.world;
    const changes = { [suggestedPath]: firstText.replace("return 1;", "return 0;") };
    await sandbox.as(cast.ada).push({ repository, branch: "feature-1", changes, message: "anew" });
    await reply(refusal);
    expect(stage.world.problem).toBeNull();
    await reply(`${refusal} Really.`);
    expect(stage.world.problem).toContain("refuses a suggestion twice");
  });
});
