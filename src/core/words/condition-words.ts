import type { Condition, Party } from "#core/decision/situation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { never } from "#core/never.ts";
import { approvalWords } from "#core/words/approval-words.ts";
import { listed } from "#core/words/counted.ts";
import { gateWords } from "#core/words/gate-words.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function conditionWords(condition: Condition): { readonly name: string; readonly detail: string } {
  switch (condition.kind) {
    case "open":
      return { name: "Open", detail: condition.state };
    case "whole_view":
      return { name: "Read in full", detail: wholeDetail(condition) };
    case "ready_for_review":
      return { name: "Ready", detail: condition.isMet ? "not a draft" : "still a draft" };
    case "gate":
      return { name: "Review", detail: gateWords(condition.gate) };
    case "approval":
      return { name: "Approval", detail: approvalWords(condition.approval) };
    case "checks":
      return { name: "Checks", detail: checksDetail(condition) };
    case "mergeable":
      return { name: "Mergeable", detail: mergeableDetails[condition.mergeability] };
    case "no_hold":
      return {
        name: "No hold",
        detail: condition.hold.kind === "free" ? "not held" : `held by ${codeSpan(condition.hold.by)}`,
      };
    case "merge_wanted":
      return { name: "Merge wanted", detail: wantedDetail(condition) };
    default:
      return never(condition);
  }
}

function wholeDetail({ cut, partlyRead }: Extract<Condition, { readonly kind: "whole_view" }>): string {
  const authors = listed(
    partlyRead.map(({ login }) => codeSpan(login)),
    3,
  );
  const rest = partlyRead.length === 0 ? "" : `; remarks of ${authors} are too long and were read in part`;
  return cut.length === 0 ? `yes${rest}` : `too large, or not shown by the forge: ${listed(cut)} reached${rest}`;
}

function checksDetail(condition: Extract<Condition, { readonly kind: "checks" }>): string {
  const { failed, pending, total } = condition;
  if (failed.length > 0) return `failed: ${listed(failed.map(codeSpan))}`;
  if (pending.length > 0) return `running: ${listed(pending.map(codeSpan))}`;
  if (total === 0) return condition.isMet ? "none required" : "none has reported yet";
  return `${total} green`;
}

const mergeableDetails = {
  unknown: "the forge has not said yet",
  mergeable: "no conflict",
  conflicting: "conflicts with the base branch",
} as const;

function wantedDetail({ when, givenBack, isMet }: Extract<Condition, { readonly kind: "merge_wanted" }>): string {
  if (givenBack !== null) return "given back by the forge: waits for a new head or another `merge` command";
  return wantedDetails[when][isMet ? "yes" : "no"];
}

const wantedDetails = {
  never: { yes: "", no: "merging by Drover is switched off" },
  on_command: { yes: "asked for by command", no: "waits for the merge command" },
  when_approved: { yes: "as soon as all is met", no: "" },
} as const;

export const turnWords = {
  author: "the author",
  reviewers: "the reviewers",
  maintainers: "the maintainers",
  ci: "the checks",
  forge: "the forge",
  drover: "Drover",
  nobody: "nobody",
} as const satisfies Record<Party, string>;

export function mergeReturnedWords(head: HeadSha): string {
  return `The forge took ${codeSpan(shortSha(head))} out of its merge queue without merging it. Drover does not queue this head again. Push a new head, or comment \`merge\` again.`;
}
