import type { Approval, IgnoredApproval, IgnoredReason } from "#core/approval/approval.ts";
import type { WaitingOutcome } from "#core/approval/approval-status.ts";
import { codeOwnersBytesMax } from "#core/approval/code-owners.ts";
import type { MissingApproval } from "#core/approval/missing-approval.ts";
import { formatInstant } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import { counted, listed } from "#core/words/counted.ts";
import { codeSpan } from "#core/words/plain-text.ts";
import { shortSha } from "#core/words/short-sha.ts";

export function approvalWords(approval: Approval): string {
  const parts = [statusWords(approval), ...approval.missing.map(missingWords)];
  return parts.filter((part) => part !== "").join("; ");
}

function statusWords(approval: Approval): string {
  switch (approval.status) {
    case "approved":
      return `approved by ${listed(approval.counted.map(({ account }) => codeSpan(account.login)))}`;
    case "timeout": {
      const { since, before } = approval.why;
      const words = before.status === "changes_requested" ? `; ${waitingWords(before)}` : "";
      return `no approval in time, waiting since ${formatInstant(since)}${words}`;
    }
    default:
      return waitingWords(approval);
  }
}

function waitingWords(waiting: WaitingOutcome): string {
  switch (waiting.status) {
    case "in_progress":
      return `${listed(waiting.why.by.map(({ login }) => codeSpan(login)))} looking at it`;
    case "changes_requested":
      return waiting.why.kind === "objections"
        ? `${listed(waiting.why.by.map(({ login }) => codeSpan(login)))} asked for changes`
        : `${counted(waiting.why.remarks.length, "remark waits", "remarks wait")} to be addressed`;
    case "pending":
      return "";
    default:
      return never(waiting);
  }
}

function missingWords(missing: MissingApproval): string {
  switch (missing.kind) {
    case "approvals":
      return `${counted(missing.more, "approval", "approvals")} of this head needed`;
    case "code_owners": {
      const owners = listed(missing.owners.map((owner) => codeSpan(ownerName(owner))));
      return `an owner (${owners}) of ${listed(missing.paths.map(codeSpan), 3)} has to approve`;
    }
    case "changed_paths_cut":
      return "too many changed files to know all their owners";
    case "changed_paths_empty":
      return "the forge has not listed the changed files yet";
    case "code_owners_unknown":
      return `the code owners are not known: ${unknownOwners[missing.why]}`;
    case "reviews_cut":
      return "too many reviews to see them all";
    default:
      return never(missing);
  }
}

const unknownOwners = {
  not_asked: "they were not looked up",
  commit_missing: "git does not have the head or the base branch; Drover looks again",
  git_failed: "git could not read the repository; Drover looks again",
  git_timed_out: "git did not answer in time; Drover looks again",
  too_large: `the CODEOWNERS file has more than ${codeOwnersBytesMax / 1_000_000} MB; make it smaller`,
  link: "the CODEOWNERS file is a link; put the file itself in its place",
  not_text: "the CODEOWNERS file is not UTF-8 text; save it as such",
  change_too_large: "the change is too large to list its files; make it smaller",
  change_unreadable: "the files of the change could not be listed",
  too_much_work:
    "the CODEOWNERS file has too many lines, or too many with `*` for so many changed files; make it smaller",
} as const satisfies Record<Extract<MissingApproval, { readonly kind: "code_owners_unknown" }>["why"], string>;

function ownerName(owner: Extract<MissingApproval, { readonly kind: "code_owners" }>["owners"][number]): string {
  switch (owner.kind) {
    case "person":
      return owner.login;
    case "team":
      return owner.name;
    case "email":
      return owner.address;
    default:
      return never(owner);
  }
}

export function approvalNotes(approval: Approval): readonly string[] {
  return [...ignoredApprovalWords(approval), ...carriedWords(approval), ...ownerLineWords(approval)];
}

/** A skipped line leaves its paths to an earlier rule, or without an owner. */
function ownerLineWords({ invalidOwnerLines: lines }: Approval): readonly string[] {
  if (lines.length === 0) return [];
  const named = listed(lines.slice(0, notesMax).map(({ line }) => String(line)));
  const rest = lines.length > notesMax ? ` and ${lines.length - notesMax} more` : "";
  return [`CODEOWNERS has lines that cannot be read and own nothing: ${named}${rest}`];
}

/** People see these on the page. Those who could never count are not named. */
function ignoredApprovalWords(approval: Approval): readonly string[] {
  const told = approval.ignored.filter(({ why }) => worthTelling.has(why));
  const rest = told.length > notesMax ? [`${told.length - notesMax} more approvals do not count`] : [];
  return [...told.slice(0, notesMax).map(ignoredWords), ...rest];
}

const notesMax = 10;

const worthTelling: ReadonlySet<IgnoredReason> = new Set<IgnoredReason>([
  "older_head",
  "other_base",
  "before_head_known",
  "commit_contradicts",
  "undetermined_permission",
]);

function ignoredWords({ account, why }: IgnoredApproval): string {
  return `the approval of ${codeSpan(account.login)} does not count: ${ignoredReasons[why]}`;
}

const ignoredReasons = {
  own_pull: "it is their own pull",
  bot: "it is a bot's",
  not_permitted: "they may not approve here",
  undetermined_permission: "the forge did not say whether they may approve",
  older_head: "it was given for an earlier head",
  other_base: "it was given against another base branch",
  before_head_known: "it was given before this head was known",
  head_unknown: "the head is not known",
  after_observation: "it is too new; the next check decides",
  commit_contradicts: "it names another commit",
  protocol_off: "this way of approving is switched off",
  superseded: "they have asked for changes since",
  same_person: "they approved already",
} as const satisfies Record<IgnoredReason, string>;

function carriedWords(approval: Approval): readonly string[] {
  return approval.counted
    .filter(({ isCarried }) => isCarried)
    .map(
      ({ account, head }) => `${codeSpan(account.login)} approved ${codeSpan(shortSha(head))}, whose patch is the same`,
    );
}
