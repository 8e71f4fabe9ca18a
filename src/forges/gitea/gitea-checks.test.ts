import { describe, expect, it } from "vitest";
import { AccountId, HeadSha, RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { Caller } from "#forges/gitea/gitea-call.ts";
import { fetchStatuses, readChecks } from "#forges/gitea/gitea-checks.ts";
import { GiteaStatus } from "#forges/gitea/gitea-schema.ts";
import { stillClock } from "#testing/still-clock.ts";

const head = HeadSha.parse("a".repeat(40));
const bot = { id: AccountId.parse("3"), login: "drover", kind: "person" } as const;

function read(...statuses: readonly object[]) {
  const whole = { context: "build", status: "success", description: "", creator: { id: 5, login: "ci" } };
  const told = statuses.map((status) => GiteaStatus.parse({ ...whole, created_at: "2026-01-01T10:00:00Z", ...status }));
  return readChecks(told, { head, bot, gateName: "drover" });
}

describe("statuses of Gitea", () => {
  it.each([
    ["success", "passed"],
    ["skipped", "passed"],
    ["failure", "failed"],
    ["error", "failed"],
    ["warning", "failed"],
    ["pending", "pending"],
    ["a new word", "pending"],
  ])("that say %s have %s", (status, state) => {
    expect(read({ status }).checks.map((check) => check.state)).toEqual([state]);
  });

  it("say who reports them, also somebody who is gone", () => {
    expect(read({}, { creator: null }).checks.map(({ source }) => source)).toEqual(["ci", "Ghost"]);
  });

  it("without a name have Gitea's own", () => {
    expect(read({ context: "" }).checks[0]?.name).toBe("default");
  });

  it("are a check like any other where the gate of ours has another name", () => {
    const other = { context: "drover", creator: { id: 3, login: "drover" }, created_at: "2026-01-01T10:00:00Z" };
    const own = { ...other, context: "drover/security", status: "failure", description: "No." };
    const told = [{ ...other, status: "pending", description: "" }, own].map((status) => GiteaStatus.parse(status));
    const { checks, gate } = readChecks(told, { head, bot, gateName: "drover/security" });
    expect(checks.map(({ name, state }) => [name, state])).toEqual([["drover", "pending"]]);
    expect(gate).toEqual({ head, state: "failure", words: "No." });
  });

  it("are the gate where they are ours alone", () => {
    const own = { context: "drover", creator: { id: 3, login: "drover" }, description: "Waiting." };
    expect(read({ ...own, status: "pending" })).toEqual({
      checks: [],
      gate: { head, state: "pending", words: "Waiting." },
    });
    expect(read({ ...own, creator: { id: 5, login: "ci" } })).toMatchObject({
      checks: [{ name: "drover" }],
      gate: null,
    });
    expect(read({ ...own, context: "drover-two" }).gate).toBeNull();
  });

  it.each([
    ["success", "Good.", "success", "Good."],
    ["success", "neutral: Skipped.", "neutral", "Skipped."],
    ["failure", "Bad.", "failure", "Bad."],
    ["error", "Bad.", "failure", "Bad."],
    ["warning", null, "failure", ""],
  ])("of ours that say %s %j are %s %j", (status, description, state, words) => {
    const own = { context: "drover", creator: { id: 3, login: "drover" } };
    expect(read({ ...own, status, description }).gate).toEqual({ head, state, words });
  });
});

function statusOf(context: string, status = "pending"): object {
  return { context, status, creator: null, created_at: null };
}

/** The newest first, ten on a page; before the second page is asked for, the oldest says another word. */
function busyServer(): Caller {
  let all = Array.from({ length: 15 }, (_, index) => statusOf(`job ${index}`));
  return {
    clock: stillClock(0),
    onSpent: () => undefined,
    send: async ({ query: { page } }) => {
      if (page === 2) all = [statusOf("job 14", "failure"), ...all.slice(0, -1)];
      const statuses = all.slice((Number(page) - 1) * 10, Number(page) * 10);
      const times = { askedAt: instant(0), heardAt: instant(0) };
      return { kind: "answered", status: 200, headers: new Headers(), data: { statuses }, ...times };
    },
  };
}

describe("statuses on several pages", () => {
  it("miss nothing that moved to the first one meanwhile", async () => {
    const pull = { repository: { id: RepositoryId.parse("1"), name: "mia/tools" }, number: 3 };
    const { items } = await fetchStatuses(busyServer(), { pull, head, pageSize: 10 });
    expect(items).toHaveLength(15);
    expect(items.find(({ context }) => context === "job 14")?.status).toBe("failure");
  });
});
