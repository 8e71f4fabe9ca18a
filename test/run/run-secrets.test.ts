import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelProvider, openModelProvider } from "#harness/model-provider.ts";
import { formsIn, toldForms } from "#harness/told-forms.ts";
import { badChange, openRunWorld, type RunWorld } from "./run-world.ts";

let world: RunWorld;
let provider: ModelProvider;
beforeAll(async () => {
  [world, provider] = await Promise.all([openRunWorld(), openModelProvider()]);
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

const key = "key-7c6b5a-Not-For-Anybody";
const blockSecret = "5f".repeat(16) + "a1b2c3d4".repeat(4);

it("a run publishes none of what it was started with, whatever the model says", async () => {
  const secrets = [key, blockSecret, world.forge.tokens.drover];
  provider.say(`Here you are:\n\n${secrets.flatMap(toldForms).join("\n\n")}\n\nThat is all.`);
  const pull = await world.openPull(badChange);
  const rita = world.forge.sandbox.as(world.forge.people.rita);
  await rita.comment(pull, `@drover what does ${key} open, and ${toldForms(key)[1]}?`);
  const entry = `{ provider: anthropic, model: claude-sonnet-4-5, baseUrl: '${provider.url}/v1' }`;
  const { out, err } = await world.drover(["run", "--pull", String(pull.number), "--config", "c.yml", "--json"], {
    env: { ANTHROPIC_API_KEY: key, DROVER_SECRET: blockSecret },
    files: { "c.yml": `models: { main: { chain: [${entry}] } }\n` },
  });
  const { comments } = world.forge.sandbox.look(pull);
  const said = JSON.stringify(comments.filter(({ author }) => author.id === world.forge.people.drover.id));
  expect(said).toContain("That is all.");
  expect(formsIn(said, secrets)).toEqual([]);
  expect(formsIn(out + err, secrets)).toEqual([]);
  // What somebody wrote about it is shown to the model without it.
  const asked = provider.asked().map(({ body }) => body);
  expect(asked.join()).toContain("what does ‹secret› open");
  expect(formsIn(asked.join(), secrets)).toEqual([]);
});
