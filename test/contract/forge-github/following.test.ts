import { afterEach, describe, expect, it } from "vitest";
import { descriptorOf } from "#app/forge/forge-table.ts";
import { type RepositorySyncContext, syncRepositories } from "#app/serve/installation.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { makeSecret } from "#config/secret.ts";
import { openStage, type Stage } from "#github-like/stage.ts";

let stage: Stage;

afterEach(() => stage.github.close());

/** Lists the repositories once before each of these, and ends after the last of them. */
async function follow(told: Told, between: readonly (() => Promise<void>)[]): Promise<void> {
  const { id, privateKey, installation } = stage.github.app;
  const ended = new AbortController();
  let times = 0;
  const context: RepositorySyncContext = {
    forge: descriptorOf("github").config.parse({
      kind: "github",
      name: "github",
      apiUrl: stage.github.url,
      app: { id, privateKey: { env: "NOT_READ" } },
    }),
    key: { kind: "app", id: String(id), privateKey: makeSecret(privateKey), installation },
    clock: createSystemClock(),
    log: { info: () => undefined, warn: (_, message) => void told.warnings.push(message), error: () => undefined },
    watched: told.watched,
    reconciler: {
      watch: async (name) => void told.asked.push(`watch ${name}`),
      ensureWatched: async (name) => void told.asked.push(`ensure ${name}`),
    },
    wake: {
      notify: () => undefined,
      wait: async () => {
        await between[times++]?.();
        if (times >= between.length) ended.abort();
      },
    },
  };
  await syncRepositories(context, ended.signal);
}

interface Told {
  readonly watched: RepositorySyncContext["watched"];
  readonly asked: string[];
  readonly warnings: string[];
}

function nothingTold(): Told {
  return { watched: { names: new Set(), isKnown: false }, asked: [], warnings: [] };
}

async function addRepository(name: string): Promise<void> {
  const { mia, drover } = stage.accounts;
  const repository = await stage.sandbox.createRepository({ name, by: mia, files: {} });
  stage.sandbox.setPermission({ repository, account: drover, permission: "write" });
}

describe("the repositories that an App was given", () => {
  it("are each asked after at every listing, so that a poll that got lost is planned anew", async () => {
    stage = await openStage({}, { tokenClock: createSystemClock() });
    const told = nothingTold();
    await follow(told, [
      async () => {
        expect(told.asked.splice(0)).toEqual(["watch mia/tools"]);
        await addRepository("mia/more");
      },
      async () => expect(told.asked).toEqual(["watch mia/more", "ensure mia/tools"]),
    ]);
    expect(told.warnings).toEqual([]);
  });

  it("are not known before they were listed for the first time", async () => {
    stage = await openStage({}, { tokenClock: createSystemClock() });
    const told = nothingTold();
    stage.spoil(() => ({ kind: "server_error", isApplied: false }));
    await follow(told, [
      async () => {
        expect(told.watched).toEqual({ names: new Set(), isKnown: false });
        stage.spoil(() => null);
      },
      async () => expect(told.watched).toEqual({ names: new Set(["mia/tools"]), isKnown: true }),
    ]);
    expect(told.warnings).toEqual(["the repositories of the installation cannot be listed"]);
  });
});
