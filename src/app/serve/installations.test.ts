import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { operatorConfig } from "#app/config/read-operator-config.ts";
import { noModels } from "#app/models/open-models.ts";
import { createSecretRegistry } from "#app/secrets/secret-registry.ts";
import { createInstallations, type Installations, type OpenedConfig } from "#app/serve/installations.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { makeSecret } from "#config/secret.ts";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openEmbedded } from "#database/open-embedded.ts";
import { silentLog } from "#testing/makers.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

let database: Database;
beforeAll(async () => {
  database = await openEmbedded();
  await migrate(database.db);
});
beforeEach(async () => {
  await database.db.deleteFrom("queue_place").execute();
});
afterAll(() => database.close());

/** The same database, that hears how many listen to it, and fails at statements or at a listener of its own. */
function troubled(trouble: { readonly statements?: boolean; readonly listener?: number }) {
  const heard = { listening: 0, listeners: 0 };
  let hasFailed = false;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (trouble.statements === true && heard.listening > 0 && !hasFailed) {
        hasFailed = true;
        throw new Error("the disk is gone");
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const listen: Database["listen"] = async (channel, onNotice) => {
    heard.listeners++;
    if (heard.listeners === trouble.listener) throw new Error("no connection is left");
    const listening = await database.listen(channel, onNotice);
    heard.listening++;
    return {
      stop: async () => {
        heard.listening--;
        await listening.stop();
      },
    };
  };
  return { database: { ...database, db, listen }, heard };
}

function fleetOn(those: Database): Installations {
  return createInstallations({
    database: those,
    git: createMemoryGit(createMemoryHub()),
    clock: createSystemClock(),
    log: silentLog,
    secret: makeBlockSecret(new Uint8Array(32)),
    secrets: createSecretRegistry(silentLog),
  });
}

/** Nobody listens at the port of these forges. */
function wanted(...names: readonly string[]): OpenedConfig {
  const forges = names.map((name) => ({
    name,
    kind: "sandbox",
    url: "http://127.0.0.1:9",
    token: { env: "TOKEN" },
    repositories: ["acme/tools"],
    webhookSecrets: [],
  }));
  const config = operatorConfig.parse({ forges });
  const key = { kind: "token", token: makeSecret("a token") } as const;
  return { config, accesses: config.forges.map((forge) => ({ forge, key, webhookSecrets: [] })), models: noModels };
}

describe("a configuration of which something cannot be opened", () => {
  it("lets nothing else of it begin", async () => {
    const { database: those, heard } = troubled({ listener: 2 });
    const installations = fleetOn(those);
    await expect(installations.apply(wanted("first", "second"))).rejects.toThrow("no connection is left");
    expect(installations.list()).toEqual([]);
    expect(heard.listening).toBe(0);
    const rows = await database.db.selectFrom("queue_place").select(["instance", "waiting_attempts"]).execute();
    expect(rows).toEqual([{ instance: "first", waiting_attempts: 0 }]);
  });

  it("leaves nobody listening who was opened half-way", async () => {
    const { database: those, heard } = troubled({ statements: true });
    await expect(fleetOn(those).apply(wanted("first"))).rejects.toThrow("the disk is gone");
    expect(heard).toEqual({ listening: 0, listeners: 1 });
  });
});
