import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ModelProvider, openModelProvider } from "#harness/model-provider.ts";
import { formsIn, toldForms } from "#harness/told-forms.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

const timeout = 240_000;

let world: ServeWorld;
let provider: ModelProvider;
beforeEach(async () => {
  [world, provider] = await Promise.all([openServeWorld(), openModelProvider()]);
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

/** Everything that the bot has written on the forge. */
function written(): string {
  const { sandbox, people } = world.side.forge;
  return JSON.stringify(sandbox.history.filter(({ by }) => by.id === people.drover.id));
}

const [oldKey, newKey] = ["key-1-Xw5Lb9Mj3Hd7-old", "key-2-Vq8Zr2Tn6Yc1-new"];

it("a server publishes none of its secrets, those before a reload included", { timeout }, async () => {
  const { side } = world;
  const keyFile = join(side.folder, "model-key");
  await writeFile(keyFile, `${oldKey}\n`);
  const entry = { provider: "anthropic", model: "claude-sonnet-4-5", baseUrl: `${provider.url}/v1` };
  await side.configure({ models: { main: { chain: [{ ...entry, key: { file: keyFile } }] } } });
  const node = await world.ready();
  await writeFile(keyFile, `${newKey}\n`);
  node.signal("SIGHUP");
  await until(() => node.output().includes("is in force"), node.output);
  const blockSecret = (await readFile(join(side.dataFolder, "secret"), "utf8")).trim();
  const secrets = [oldKey, newKey, blockSecret, ...Object.values(side.env)];
  provider.say(`Here you are:\n\n${secrets.flatMap(toldForms).join("\n\n")}\n\nThat is all.`);
  const pull = await world.openPull();
  await side.forge.sandbox.as(side.forge.people.rita).comment(pull, "@drover what are you started with?");
  await until(() => written().includes("That is all."), node.output);
  expect(formsIn(written(), secrets)).toEqual([]);
  expect(formsIn(node.output(), secrets)).toEqual([]);
});

it("a server says which secret it cannot keep back, by its name", { timeout }, async () => {
  const { side } = world;
  const weak = join(side.folder, "weak-secret");
  await writeFile(weak, "password\n");
  await side.configure({
    forges: [{ name: "sandbox", url: side.forge.url, manner: "github", webhookSecrets: [{ file: weak }] }],
  });
  const node = await world.ready();
  await node.waitFor(/"message":"a secret is not kept out of comments and logs[^]*weak-secret/, timeout);
  expect(node.output()).not.toContain("password");
});
