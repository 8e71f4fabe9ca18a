import { deriveApproval } from "#core/approval/approval.ts";
import type { Command, MalformedCommand } from "#core/commands/command.ts";
import { readMarker, type SuppressionMarker } from "#core/commands/description-marker.ts";
import { readBotMessage } from "#core/commands/read-bot-message.ts";
import type { NotedTimes } from "#core/decision/action.ts";
import type { Findings, Hint, RoleSituation, SaidCommand, Situation } from "#core/decision/situation.ts";
import { loopingRemarks } from "#core/derive/bot-loops.ts";
import { asRecorded, deriveCommands, isObeyed, withNothingToFix } from "#core/derive/commands.ts";
import { deriveConversation } from "#core/derive/conversation.ts";
import { deriveFeedback, feedbackChange } from "#core/derive/feedback.ts";
import { deriveFixing, hasSomethingToFix } from "#core/derive/fixing.ts";
import { deriveFlightPlan, deriveMerge } from "#core/derive/flight-plan.ts";
import { deriveGate } from "#core/derive/gate.ts";
import { deriveHeads } from "#core/derive/heads.ts";
import { deriveManualRequests } from "#core/derive/manual-requests.ts";
import { outsiderReviewQuota } from "#core/derive/outsider-quota.ts";
import { type People, peopleOf } from "#core/derive/people.ts";
import { type Remark, remarksOf, type Spoken } from "#core/derive/remarks.ts";
import { deriveReview } from "#core/derive/review-need.ts";
import { deriveHold, deriveSuppression } from "#core/derive/suppression.ts";
import { deriveWholeView } from "#core/derive/whole-view.ts";
import { toCanonicalOrder } from "#core/model/canonical-order.ts";
import { writtenAt } from "#core/model/conversation.ts";
import { type Finding, isOpenBlocker } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import { dayMs, type Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { CommandRecord, MarkerSeen } from "#core/model/records.ts";

/** Later a hint does not help any more, and an upgrade must not comment on old remarks. */
const hintAgeMsMax = dayMs;

export function derive(observation: Observation): Situation {
  const seen = toCanonicalOrder(observation);
  const people = peopleOf(seen);
  const heads = deriveHeads(seen);
  const spoken = remarksOf(seen)
    .filter((remark) => !people.isBot(remark.comment.author.id))
    .map((remark) => ({ remark, address: readBotMessage(remark.comment.body, seen.rules.handle) }));
  const looping = loopingRemarks(seen, { spoken, people, heads });
  const heard = spoken.filter((one) => !looping.includes(one));
  const budget = outsiderReviewQuota(seen, people);
  const said = deriveCommands(seen, { spoken: heard, people, heads, budget });
  const feedback = deriveFeedback(seen, { spoken, people, heads });
  const commands = hasSomethingToFix(seen, { feedback, people, heads }) ? said : withNothingToFix(said);
  const hints = deriveHints(seen, { spoken: heard, people });
  const times = deriveTimes(seen, commands);
  const suppression = deriveSuppression(seen, { commands, people, marker: times.marker });
  const conversation = deriveConversation(seen, { spoken: heard, people, isLooping: looping.length > 0 });
  const requests = deriveManualRequests(seen, { commands, conversation, people, heads, budget });
  const review = deriveReview(seen, { heads, suppression, commands, requests, budget });
  const findings = deriveFindings(seen, review.roles);
  const approval = deriveApproval({
    ...seen,
    heads: heads.history,
    records: seen.records.approvals,
    readySince: times.readySince,
    feedback,
  });
  const hold = deriveHold(commands);
  const fixing = deriveFixing(seen, { commands, feedback, heads, people, approval, hold });
  const wholeView = deriveWholeView(seen, people);
  const gate = deriveGate(seen, { heads, review, findings, suppression, wholeView });
  const flightPlan = deriveFlightPlan(seen, { wholeView, heads, review, gate, approval, hold, commands });
  const merge = deriveMerge(seen, flightPlan, { heads, commands });
  return {
    heads,
    timesToRecord: times.toRecord,
    suppression,
    commands,
    hints,
    conversation,
    review,
    findings,
    feedback,
    feedbackChange: feedbackChange(seen, feedback, people),
    fixing,
    approval,
    hold,
    gate,
    merge,
    flightPlan,
  };
}

/** For people who may give commands and whose text did nothing. Strangers get no hint: their command has no effect. */
function deriveHints(
  seen: Observation,
  context: {
    readonly spoken: readonly Spoken[];
    readonly people: People;
  },
): readonly Hint[] {
  const recorded = new Map(seen.records.commands.map((record) => [record.comment, record]));
  return context.spoken.flatMap(({ remark, address }): readonly Hint[] => {
    const { comment } = remark;
    const record = recorded.get(comment.id);
    if (!context.people.mayCommand(comment.author) || seen.observedAt - writtenAt(comment) > hintAgeMsMax) return [];
    if (record !== undefined) {
      const isEdited = address.command !== null && isEditedInto(remark, record, address.command);
      return isEdited
        ? [{ kind: "edited_command", comment: comment.id, by: comment.author.id, word: record.word }]
        : [];
    }
    const { nearMiss } = address;
    return nearMiss === null
      ? []
      : [{ kind: "near_miss", comment: comment.id, by: comment.author.id, word: nearMiss.word }];
  });
}

/** Forges do not tell when a review was edited: another word is the only sign. */
function isEditedInto(
  { comment, review }: Remark,
  record: CommandRecord,
  command: Command | MalformedCommand,
): boolean {
  if (review !== null) return command.word !== record.word;
  if (writtenAt(comment) <= record.at) return false;
  const isMalformed = record.outcome === "malformed";
  if (command.kind === "malformed") return command.word !== record.word || !isMalformed;
  return isMalformed || JSON.stringify(command) !== JSON.stringify(asRecorded(record));
}

function deriveFindings(seen: Observation, roles: readonly RoleSituation[]): Findings {
  const looks = looksAtHead(roles);
  const all = seen.records.findings.map((finding) => asOfHead(finding, looks));
  const closed = new Set(seen.records.closedThreads);
  const resolvedOnForge = new Set(seen.threads.filter((thread) => thread.isResolved).map((thread) => thread.id));
  const isToClose = ({ state, thread }: Finding): boolean =>
    state.kind === "resolved" && thread !== null && !closed.has(thread) && !resolvedOnForge.has(thread);
  return {
    all,
    open: all.filter((finding) => finding.state.kind !== "resolved"),
    blockers: all.filter(isOpenBlocker),
    toClose: all.filter(isToClose),
  };
}

interface Looks {
  readonly standing: ReadonlySet<FindingId>;
  readonly readBy: ReadonlyMap<string, Extract<RoleSituation, { readonly kind: "completed" }>>;
}

function looksAtHead(roles: readonly RoleSituation[]): Looks {
  const completed = roles.filter((role) => role.kind === "completed");
  const standing = completed.flatMap(({ findings }) => findings);
  const read = completed.filter(({ coverage }) => coverage.filesRead + coverage.unread.length > 0);
  return { standing: new Set(standing), readBy: new Map(read.map((role) => [role.role, role])) };
}

/** A record tells of the last reviewed head. A force-push may bring back a head with, or without, the defect. */
function asOfHead(finding: Finding, { standing, readBy }: Looks): Finding {
  const isFixed = finding.state.kind === "resolved" && finding.state.resolution.how === "fixed";
  if (standing.has(finding.id)) return isFixed ? { ...finding, state: { kind: "open" } } : finding;
  const reader = readBy.get(finding.role);
  if (reader === undefined || finding.state.kind === "resolved") return finding;
  return { ...finding, state: { kind: "resolved", resolution: { how: "fixed", head: reader.run.head } } };
}

interface TimesSeen {
  readonly marker: SuppressionMarker | null;
  readonly readySince: Instant | null;
  readonly toRecord: NotedTimes | null;
}

function deriveTimes(seen: Observation, commands: readonly SaidCommand[]): TimesSeen {
  const marker = markerSeen(seen, commands);
  const ready = readySeen(seen);
  const toRecord: NotedTimes = {
    ...(marker.toRecord === null ? {} : { marker: marker.toRecord }),
    ...(ready.isNew ? { readySince: ready.since } : {}),
  };
  return {
    marker: marker.marker,
    readySince: ready.since,
    toRecord: Object.keys(toRecord).length === 0 ? null : toRecord,
  };
}

/** Without edit times a marker counts from the look that first saw it. A command of that look counts as newer. */
function markerSeen(
  seen: Observation,
  commands: readonly SaidCommand[],
): { readonly marker: SuppressionMarker | null; readonly toRecord: MarkerSeen | null } {
  const found = readMarker(seen.pull, seen.rules.handle);
  if (seen.capabilities.tellsBodyEdits) return { marker: found, toRecord: null };
  const known = seen.records.marker;
  if (found === null) return { marker: null, toRecord: known?.kind === "absent" ? null : { kind: "absent" } };
  // Another duration is another marker: its time starts anew.
  if (known?.kind === "present" && known.forMs === found.forMs) {
    return { marker: { ...found, at: known.at }, toRecord: null };
  }
  const at = known === undefined ? found.at : firstOf(seen.observedAt, commands.filter(isNewSwitch));
  return { marker: { ...found, at }, toRecord: { kind: "present", at, forMs: found.forMs } };
}

function isNewSwitch(said: SaidCommand): boolean {
  const isSwitch = said.command.word === "enable-reviews" || said.command.word === "disable-reviews";
  return isSwitch && said.standing.kind === "fresh" && isObeyed(said);
}

function firstOf(look: Instant, commands: readonly SaidCommand[]): Instant {
  return commands.reduce((first, { at }) => (at < first ? at : first), look);
}

function readySeen({ pull, records, observedAt }: Observation): { since: Instant | null; isNew: boolean } {
  const known = records.readySince;
  if (pull.isDraft) return { since: null, isNew: known !== null };
  return known === null ? { since: observedAt, isNew: true } : { since: known ?? null, isNew: false };
}
