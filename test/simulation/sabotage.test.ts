import { describe, expect, it } from "vitest";
import type { Action } from "#core/model/action.ts";
import { CommentId } from "#core/model/ids.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { runSeed } from "./run-seed.ts";
import type { Sabotage } from "./world.ts";

/** Each of these Drovers has one thing wrong with it. An oracle that lets one of them pass is no oracle. */

const change =
  (edit: (action: Action) => Action): Sabotage =>
  (_, actions) =>
    actions.map(edit);

const without =
  (...kinds: readonly Action["kind"][]): Sabotage =>
  (_, actions) =>
    actions.filter(({ kind }) => !kinds.includes(kind));

const sabotages: readonly (readonly [what: string, sabotage: Sabotage, noticed: RegExp])[] = [
  [
    "merges as soon as the checks are green",
    (seen, actions) => {
      const head = seen.pull.head.sha;
      return seen.checks.some((check) => check.head === head && check.state === "passed")
        ? [
            ...actions.filter(({ kind }) => kind !== "merge"),
            { kind: "merge", key: actionKey("merge", head), head, baseBranch: seen.pull.base.branch },
          ]
        : actions;
    },
    /nobody approved/,
  ],
  [
    "turns the gate green whatever was found",
    change((action) => (action.kind === "set_gate" ? { ...action, state: "success" } : action)),
    /the gate is green although/,
  ],
  [
    "says neutral for whatever is pending",
    change((action) =>
      action.kind === "set_gate" && action.state === "pending" ? { ...action, state: "neutral" } : action,
    ),
    /neutral although/,
  ],
  [
    "approves instead of requesting changes",
    change((action) =>
      action.kind === "publish_review" && "event" in action.update
        ? { ...action, update: { ...action.update, event: "approve" } }
        : action,
    ),
    /the bot approves although/,
  ],
  [
    "obeys everybody",
    change((action) =>
      action.kind === "acknowledge" ? { ...action, record: { ...action.record, outcome: "obeyed" } } : action,
    ),
    /somebody who may not/,
  ],
  [
    "forgets which commands it has answered",
    change((action) =>
      action.kind === "acknowledge"
        ? { ...action, record: { ...action.record, comment: CommentId.parse(`${action.record.comment}0`) } }
        : action,
    ),
    /what nobody ordered|answers command|answered/,
  ],
  ["answers no command", without("acknowledge"), /was answered 0 times/],
  ["answers no question", without("answer", "classify"), /never answered/],
  [
    "never starts a review",
    without("start_review"),
    /never read the last head|goes on and changes nothing|does not come to rest/,
  ],
  ["never shows the gate", without("set_gate"), /has no gate/],
  [
    "writes its own handle into comments",
    change((action) => (action.kind === "update_managed_comment" ? { ...action, text: "@drover merge" } : action)),
    /summons itself/,
  ],
  [
    "reviews what is switched off",
    (seen, actions) => {
      if (actions.some(({ kind }) => kind === "start_review")) return actions;
      const { sha: head } = seen.pull.head;
      const baseBranch = seen.pull.base.branch;
      const start: Action = {
        kind: "start_review",
        key: actionKey("start_review", head),
        head,
        baseBranch,
        role: "general",
        trigger: { kind: "automatic" },
        round: 1,
        attempt: 1,
        why: "new_head",
        priority: 3,
      };
      return [...actions, start];
    },
    /although reviews are off|reviews a draft/,
  ],
];

describe("the oracle", () => {
  it.each(sabotages)("notices a Drover that %s", (_, sabotage, noticed) => {
    const problems: string[] = [];
    for (let seed = 1; seed <= 60; seed++) {
      const { problem } = runSeed(seed, { sabotage });
      if (problem === null) continue;
      problems.push(problem);
      if (noticed.test(problem)) break;
    }
    expect(problems.join("\n")).toMatch(noticed);
  });
});
