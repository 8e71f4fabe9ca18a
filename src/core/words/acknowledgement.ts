import type { AckReaction } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import { mayReactTo } from "#core/model/review-text.ts";
import type { RefusalReason, Ruling, SaidCommand, Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { flightPlanText } from "#core/words/flight-plan-words.ts";
import { commandHelp, helpText } from "#core/words/help-words.ts";
import { outgoing } from "#core/words/outgoing.ts";
import { codeSpan, plainLine } from "#core/words/plain-text.ts";
import { outsiderBudgetUsed } from "#core/words/review-words.ts";
import { shortSha } from "#core/words/short-sha.ts";

export interface Acknowledgement {
  readonly reaction: AckReaction;
  /** Null where the reaction says it all. */
  readonly text: string | null;
}

type Settled = Exclude<Ruling, { readonly kind: "wait" }>;

const problemCharactersMax = 300;
const loginCharactersMax = 100;

export function acknowledgement(
  seen: Observation,
  situation: Situation,
  said: SaidCommand,
  ruling: Settled,
): Acknowledgement {
  const { handle } = seen.rules;
  const text = ackText(seen, situation, said, ruling) ?? silentText(seen, said);
  return { reaction: ackReaction(ruling), text: text === null ? null : outgoing(text, handle) };
}

/** Where the reaction would say it all and none can be set. */
function silentText(seen: Observation, said: SaidCommand): string | null {
  return mayReactTo(said.comment, seen.capabilities)
    ? null
    : `The command ${codeSpan(said.command.word)} in the review of ${plainLine(said.by.login, loginCharactersMax)} is obeyed.`;
}

function ackReaction(ruling: Settled): AckReaction {
  return ruling.kind === "obey" ? "+1" : "confused";
}

function ackText(seen: Observation, situation: Situation, said: SaidCommand, ruling: Settled): string | null {
  switch (ruling.kind) {
    case "obey":
      return obeyedText(seen, situation, said);
    case "refuse":
      return refusedText(seen, said, ruling.why);
    case "void":
      return (
        `Not merging: the head is now ${codeSpan(shortSha(seen.pull.head.sha))}, and it cannot be shown that this was ` +
        `the one you saw. Comment ${codeSpan(`${seen.rules.handle} merge`)} again if you want this one merged.`
      );
    case "malformed": {
      const { usage } = commandHelp[said.command.word];
      return `${plainLine(ruling.problem, problemCharactersMax)} The form is ${codeSpan(`${seen.rules.handle} ${usage}`)}.`;
    }
    case "nothing_to_do":
      return nothingToFix(seen, situation);
    default:
      return never(ruling);
  }
}

function obeyedText(seen: Observation, situation: Situation, said: SaidCommand): string | null {
  const { handle } = seen.rules;
  switch (said.command.word) {
    case "status":
      return flightPlanText(seen, situation);
    case "help":
      return helpText(handle);
    case "merge":
      return situation.merge.kind === "waiting"
        ? `Will merge ${codeSpan(shortSha(seen.pull.head.sha))} when all is met.\n\n${flightPlanText(seen, situation)}`
        : null;
    case "review":
      return startText(seen, situation, said);
    // The managed comment says what holds for the reviews of this head.
    case "enable-reviews":
    case "disable-reviews":
    case "cancel":
    case "fix":
    case "stop-fixing":
    case "hold":
    case "unhold":
      return null;
    default:
      return never(said.command);
  }
}

/** Not where a later command has taken it back, or the automatic review covers it. */
function startText(seen: Observation, { review }: Situation, said: SaidCommand): string | null {
  const isMade = review.pendingManual.some(({ comment }) => comment === said.comment);
  if (!seen.rules.reviews.tellsStart || !isMade) return null;
  return `Reviewing ${codeSpan(shortSha(seen.pull.head.sha))}. The result will be in the review on this pull.`;
}

function nothingToFix(seen: Observation, { feedback, review }: Situation): string {
  const head = codeSpan(shortSha(seen.pull.head.sha));
  const others =
    feedback.length === 0
      ? "no remark is open"
      : `the open remarks are of people for whom no session works (${codeSpan("fix.allowedUsers")})`;
  const isReviewing = review.toStart.length > 0 || review.roles.some(({ kind }) => kind === "running");
  const later = isReviewing ? ` The review of ${head} is under way: say it again if it finds something.` : "";
  return `There is nothing to fix at ${head}: ${others}, and there is no open finding.${later}`;
}

function refusedText(seen: Observation, said: SaidCommand, why: RefusalReason): string {
  const name = codeSpan(said.command.word);
  switch (why) {
    case "needs_write":
      return `${name} is for people with write permission on this repository.`;
    case "undetermined":
      return `The forge did not say whether you have write permission, so ${name} was not obeyed. Try again later, or ask the operator to check the token's rights.`;
    case "outsider_budget":
      return outsiderBudgetUsed(seen);
    case "merging_is_off":
      return `Merging by Drover is switched off for this repository (${codeSpan("merge.when")}).`;
    case "closed":
      return `This pull is ${seen.pull.state}, so there is nothing to do.`;
    case "fork":
      return "The head of this pull is in a fork, where Drover cannot push.";
    case "edited_after_restraint":
      return `This comment was edited, and it is not known whether ${name} was said before or after the command that it takes back. Say it in a new comment.`;
    default:
      return never(why);
  }
}
