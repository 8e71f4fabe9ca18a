import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { handleCostRequest } from "#app/cost/cost-api.ts";
import { runCommandLine } from "#cli/command-line.ts";
import { CostOverview } from "#core/budget/cost-overview.ts";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { dayMs, type Instant, instant } from "#core/model/instant.ts";
import type { Database } from "#database/database.ts";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#database/open-database.ts";
import { openPostgres } from "#database/open-postgres.ts";
import { openTestEmbedded } from "#harness/embedded.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import { needPostgres, openTestDatabase } from "#harness/postgres.ts";
import { createSqlStore } from "#store/sql-store.ts";
import { silentLog } from "#testing/makers.ts";
import { aSpend } from "#testing/spend-maker.ts";

const day = instant(Date.UTC(2026, 10, 14, 12));

/** Three days, two repositories on two forges, a question, and a model without a price. */
async function fill(database: Database, first: Instant): Promise<void> {
  const store = createSqlStore({ database });
  const lib = { id: RepositoryId.parse("r2"), name: "acme/library" };
  const spends = [
    aSpend({ id: "1", costMicroUsd: 120_000, at: first }),
    // It broke off: that much is estimated.
    aSpend({ id: "2", costMicroUsd: 30_000, isPriced: false, role: "security", at: first }),
    aSpend({ id: "3", pull: 2, costMicroUsd: 50_000, at: instant(first + dayMs) }),
    aSpend({ id: "4", pull: 2, role: null, purpose: "answer", costMicroUsd: 4_200, at: instant(first + dayMs) }),
    aSpend({
      id: "5",
      instance: InstanceId.parse("other"),
      repository: lib,
      model: "compatible/llama",
      isPriced: false,
      costMicroUsd: 0,
      at: instant(first + 2 * dayMs),
    }),
  ];
  for (const spend of spends) await store.saveSpend(spend);
}

async function openFilled(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  await migrate(database.db);
  await fill(database, day);
  return database;
}

async function run(argv: readonly string[]) {
  const { terminal, said } = heardTerminal();
  const code = await runCommandLine(argv, terminal);
  return { ...said, code };
}

const engines = [
  { name: "the embedded engine", need: () => undefined, open: openTestEmbedded },
  {
    name: "PostgreSQL",
    need: needPostgres,
    open: async () => {
      const server = await openTestDatabase();
      const database = openPostgres(server.url);
      const close = async (): Promise<void> => {
        await database.close();
        await server.drop();
      };
      return { ...database, close };
    },
  },
] as const;

describe.each(engines)("what models have cost, on $name", ({ need, open }) => {
  let database: Database;
  let opened: Promise<Database> | undefined;
  beforeEach(async (test) => {
    need(test);
    opened ??= openFilled(open);
    database = await opened;
  });
  afterAll(async () => (await opened)?.close());

  async function ask(over: object): Promise<CostOverview> {
    const { status, content } = await handleCostRequest(database, {
      by: "pull",
      since: 0,
      repository: null,
      pull: null,
      ...over,
    });
    expect(status).toBe(200);
    return CostOverview.parse(content);
  }

  async function named(over: object): Promise<readonly (readonly [string, number])[]> {
    return (await ask(over)).rows.map(({ name, costMicroUsd }) => [name, costMicroUsd]);
  }

  it("is summed up by pull, repository, role, model and day", async () => {
    expect(await named({ by: "pull" })).toEqual([
      ["acme/tools#1", 150_000],
      ["acme/tools#2", 54_200],
      ["acme/library#1", 0],
    ]);
    expect(await named({ by: "repository" })).toEqual([
      ["acme/tools", 204_200],
      ["acme/library", 0],
    ]);
    expect(await named({ by: "role" })).toEqual([
      ["general", 170_000],
      ["security", 30_000],
      ["(answer)", 4_200],
    ]);
    expect(await named({ by: "model" })).toEqual([
      ["anthropic/claude-sonnet-5", 204_200],
      ["compatible/llama", 0],
    ]);
    expect(await named({ by: "day" })).toEqual([
      ["2026-11-14", 150_000],
      ["2026-11-15", 54_200],
      ["2026-11-16", 0],
    ]);
  });

  it("is that since a time, of one repository, of one pull", async () => {
    expect(await named({ since: day + dayMs, by: "role" })).toEqual([
      ["general", 50_000],
      ["(answer)", 4_200],
    ]);
    expect(await named({ repository: "acme/library" })).toEqual([["acme/library#1", 0]]);
    const one = await ask({ repository: "acme/tools", pull: 2, by: "model" });
    expect(one.sum).toEqual({
      calls: 2,
      tokensIn: 2_000,
      tokensCached: 800,
      tokensOut: 100,
      costMicroUsd: 54_200,
      unpricedCalls: 0,
    });
  });

  it("names the models of which nobody knows", async () => {
    expect((await ask({})).unpriced).toEqual([{ model: "compatible/llama", calls: 1 }]);
  });

  it("is not told to somebody who asks for something else", async () => {
    expect(await handleCostRequest(database, { by: "colour" })).toMatchObject({ status: 400 });
  });
});

describe("drover cost", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "drover-cost-"));
    const place = { kind: "embedded", folder: join(folder, "database") } as const;
    const database = await openDatabase(place, { log: silentLog });
    await fill(database, day);
    await database.close();
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  it("shows a table, with the sum and what is not in it", async () => {
    const { out, code } = await run(["cost", "--since", "2026-11-01", "--data", folder]);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "since 2026-11-01T00:00:00Z
      pull                  calls  tokens in  cached  tokens out   cost
      test acme/tools#1         2       2000    40 %         100  $0.15
      test acme/tools#2         2       2000    40 %         100  $0.05
      other acme/library#1      1       1000    40 %          50  $0.00
      sum                       5       5000    40 %         250  $0.20
      $0.03 of the sum is estimated, for answers that broke off: no provider counts those.
      1 call whose cost nobody knows, of compatible/llama (1): the provider did not count, or "prices" has to name the price.
      "
    `);
  });

  it("is JSON for scripts", async () => {
    const { out } = await run(["cost", "--by", "day", "--since", "2026-11-01T00:00:00Z", "--json", "--data", folder]);
    const told: unknown = JSON.parse(out);
    expect(told).toMatchObject({ since: "2026-11-01T00:00:00Z", by: "day", sum: { calls: 5, costMicroUsd: 204_200 } });
    expect(told).toMatchObject({ estimatedMicroUsd: 30_000 });
  });

  it("says that there is nothing", async () => {
    const { out } = await run(["cost", "--repo", "acme/none", "--data", folder, "--since", "2026-11-01"]);
    expect(out).toBe("No model was asked since 2026-11-01T00:00:00Z.\n");
  });

  it("makes no database where there is none, and says so", async () => {
    for (const command of ["cost", "queue"]) {
      const { err, code } = await run([command, "--data", join(folder, "elsewhere")]);
      expect(code).toBe(2);
      expect(err).toMatch(/there is no database of Drover in .*elsewhere: --data names/);
      await expect(access(join(folder, "elsewhere"))).rejects.toThrow("ENOENT");
    }
  });

  it.each([
    [["--by", "colour"], "argument 'colour' is invalid. There is: pull, repository, role, model, day."],
    [["--since", "soon"], "--since soon: expected a duration"],
    [["--pull", "3"], "--pull needs --repo"],
    [["--repo", "acme/tools", "--pull", "x"], "--pull x: expected the number"],
  ])("does not guess at %j", async (argv, words) => {
    const { err, code } = await run(["cost", ...argv, "--data", folder]);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
