import { formatInstant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { RoleSituation, Situation, Suppression } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { approvalWords } from "#core/words/approval-words.ts";
import { counted } from "#core/words/counted.ts";
import { gateWords } from "#core/words/gate-words.ts";
import { fixingWords } from "#core/words/session-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function situationWords(seen: Observation, situation: Situation): readonly (readonly [string, string])[] {
  const { conversation, findings, review } = situation;
  const fresh = situation.commands.filter((said) => said.standing.kind === "fresh");
  return [
    ["pull", `${seen.pull.repository.name}#${seen.pull.number}, ${pullState(seen)}`],
    [
      "head",
      `${shortSha(seen.pull.head.sha)} on ${seen.pull.base.branch}, number ${situation.heads.history.length} seen`,
    ],
    ["reviews", suppressionWords(situation.suppression)],
    ...review.roles.map((role) => [`  ${role.role}`, roleWords(role)] as const),
    ["commands", fresh.length === 0 ? "none waits" : fresh.map((said) => said.command.word).join(", ")],
    ["conversation", conversationWords(conversation)],
    ["findings", `${findings.blockers.length} blocking, ${findings.open.length} open, ${findings.all.length} known`],
    ["feedback", counted(situation.feedback.length, "remark waits", "remarks wait")],
    ["fixing", fixingWords(situation.fixing)],
    ["approval", `${situation.approval.status}${detail(approvalWords(situation.approval))}`],
    ["hold", situation.hold.kind === "held" ? `held by ${situation.hold.by}` : "none"],
    ["gate", `${situation.gate.state}: ${gateWords(situation.gate)}`],
    ["merge", mergeWords(situation)],
  ];
}

function pullState(seen: Observation): string {
  return seen.pull.state === "open" && seen.pull.isDraft ? "open, draft" : seen.pull.state;
}

function detail(words: string): string {
  return words === "" ? "" : `: ${words}`;
}

function suppressionWords(suppression: Suppression): string {
  switch (suppression.kind) {
    case "enabled":
      return `on (${suppression.why})`;
    case "disabled":
      return `off, by ${suppression.source.kind}`;
    case "disabled_until":
      return `off until ${formatInstant(suppression.until)}, by ${suppression.source.kind}`;
    default:
      return never(suppression);
  }
}

function roleWords(role: RoleSituation): string {
  switch (role.kind) {
    case "completed":
      return `read ${counted(role.coverage.filesRead, "file", "files")}, left out ${role.coverage.unread.length}`;
    case "running":
      return "running";
    case "retrying":
      return `failed, next attempt at ${formatInstant(role.at)}: ${role.why}`;
    case "given_up":
      return `given up: ${role.why}`;
    case "unreviewed":
      return "not reviewed";
    case "unpaid":
      return `not reviewed: ${role.used} of ${role.max} paid reviews are used up, and its author has no write permission`;
    default:
      return never(role);
  }
}

function conversationWords(conversation: Situation["conversation"]): string {
  const { disputes, questions, unclassified, unanswered, failed } = conversation;
  const failing = failed.length === 0 ? "" : `, ${failed.length} could not be answered yet`;
  const beyond = unanswered.length === 0 ? "" : `, ${unanswered.length} beyond what is answered`;
  return `${counted(disputes.length, "dispute", "disputes")}, ${counted(questions.length, "question", "questions")}, ${unclassified.length} unread${failing}${beyond}`;
}

function mergeWords({ merge }: Situation): string {
  switch (merge.kind) {
    case "off":
      return "switched off";
    case "waiting":
      return `waiting for ${merge.missing.join(", ")}`;
    case "ready":
      return `ready at ${shortSha(merge.head)}`;
    case "queued":
      return `queued at ${shortSha(merge.head)}`;
    case "done":
      return "done";
    default:
      return never(merge);
  }
}
