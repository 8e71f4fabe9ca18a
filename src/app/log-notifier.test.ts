import { describe, expect, it } from "vitest";
import { pullPage } from "#app/forge/open-forge.ts";
import { logNotifier } from "#app/log-notifier.ts";
import { InstanceId } from "#core/model/ids.ts";
import type { LogFacts } from "#ports/log.ts";
import type { Notice } from "#ports/notifier.ts";
import { pullKeyOf } from "#ports/pull-ref.ts";
import { at, sha, somePull } from "#testing/makers.ts";

type Line = readonly [level: string, facts: LogFacts, message: string];

async function told(what: Notice["what"]): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const log = {
    info: (facts: LogFacts, message: string) => lines.push(["info", facts, message]),
    warn: (facts: LogFacts, message: string) => lines.push(["warn", facts, message]),
    error: (facts: LogFacts, message: string) => lines.push(["error", facts, message]),
  };
  const notifier = logNotifier(log, (pull) => pullPage({ kind: "gitea", url: "https://git.test" }, pull));
  const pull = somePull;
  await notifier.notify({ key: `${pullKeyOf(InstanceId.parse("test"), pull)}/what`, pull, what });
  return lines;
}

const subject = {
  key: "test/7/12/what",
  repository: "acme/tools",
  pull: 12,
  link: "https://git.test/acme/tools/pulls/12",
};

it.each([
  ["https://api.github.com", "https://github.com/acme/tools/pull/12"],
  ["https://ghe.test/api/v3", "https://ghe.test/acme/tools/pull/12"],
])("a pull of GitHub at %s has its page at %s", (url, page) => {
  const pull = somePull;
  expect(pullPage({ kind: "github", url }, pull)).toBe(page);
});

describe("the log as a notifier", () => {
  it("tells of an approval that changed", async () => {
    const event = { from: null, to: "approved", head: sha(1), at: at(0) } as const;
    const facts = { ...subject, from: null, to: "approved", head: sha(1), since: "2026-01-01T09:00:00Z" };
    expect(await told({ kind: "approval_changed", event })).toEqual([["info", facts, "approval changed"]]);
  });

  it("tells of a merge", async () => {
    expect(await told({ kind: "merged", head: sha(2) })).toEqual([
      ["info", { ...subject, head: sha(2) }, "pull merged"],
    ]);
  });

  it.each([
    ["info", "info"],
    ["warning", "warn"],
    ["blocking", "warn"],
  ] as const)("tells of an escalation of severity %s as %s", async (severity, level) => {
    const lines = await told({ kind: "escalated", severity, text: "Three attempts\nfailed." });
    const facts = { ...subject, severity, text: "Three attempts failed." };
    expect(lines).toEqual([[level, facts, "people are asked for help"]]);
  });

  it("cuts a long text", async () => {
    const [line] = await told({ kind: "escalated", severity: "info", text: "x".repeat(10_000) });
    expect(String(line?.[1]["text"]).length).toBeLessThanOrEqual(500);
  });
});
