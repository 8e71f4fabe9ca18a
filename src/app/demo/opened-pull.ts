import type { PaperPull } from "#app/demo/paper-pull.ts";
import type { Account } from "#core/model/account.ts";
import { AccountId, HeadSha } from "#core/model/ids.ts";
import { parseInstant } from "#core/model/instant.ts";
import { Observation } from "#core/model/observation.ts";

function person(login: string): Account {
  return { id: AccountId.parse(login), login, kind: "person" };
}

/** Ada writes, rita reviews. */
export const people = { ada: person("ada"), rita: person("rita") };

export const shas = {
  opened: HeadSha.parse("a11ce".padEnd(40, "0")),
  fixed: HeadSha.parse("f1ced".padEnd(40, "0")),
  extra: HeadSha.parse("ad0be".padEnd(40, "0")),
};

export function openedPull(): PaperPull {
  const openedAt = parseInstant("2026-01-05T09:00:00Z");
  return Observation.parse({
    observedAt: openedAt,
    instance: "demo",
    bot: { id: "drover", login: "drover", kind: "bot" },
    capabilities: {
      mayEditReviewBodies: true,
      mayDismissReviews: true,
      mayJudgeOwnPull: false,
      mayResolveThreads: true,
      hasNeutralGate: true,
      hasReactionEvents: false,
    },
    rules: { merge: { when: "when_approved" } },
    pull: {
      repository: { id: "1", name: "acme/client" },
      number: 1,
      title: "Call the billing service",
      body: "",
      bodyEdits: [],
      author: people.ada,
      createdAt: openedAt,
      state: "open",
      isDraft: false,
      head: { sha: shas.opened, branch: "billing", isFork: false, pushedAt: openedAt, patch: null },
      base: { branch: "main", since: openedAt },
      labels: [],
      mergeability: { kind: "mergeable" },
      requestedReviewers: [],
    },
    permissions: [
      { account: people.ada.id, permission: "write" },
      { account: people.rita.id, permission: "write" },
    ],
    changedPaths: ["src/client.ts"],
  });
}
