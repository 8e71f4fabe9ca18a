import { type RefusalAnswer, refusalAnswers } from "#core/derive/refusal-answer.ts";
import type { Action, ActionOf } from "#core/model/action.ts";
import type { Observation } from "#core/model/observation.ts";
import type { CommandRecord } from "#core/model/records.ts";
import type { Ruling, SaidCommand, Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { acknowledgement } from "#core/words/acknowledgement.ts";
import { hintText } from "#core/words/hint-words.ts";

export function planCommands(seen: Observation, situation: Situation): readonly Action[] {
  const answers = refusalAnswers(situation.commands, seen.pull.author.id);
  return situation.commands.flatMap((said) => {
    if (said.standing.kind !== "fresh" || said.standing.ruling.kind === "wait") return [];
    const action = acknowledge(seen, situation, said, said.standing.ruling);
    return [shortened(action, answers.get(said.comment) ?? "words")];
  });
}

/** Once for each comment, in any case. */
export function planHints(seen: Observation, { hints }: Situation): readonly Action[] {
  return hints.flatMap((hint): readonly Action[] => {
    const key = actionKey("hint", hint.kind, hint.comment);
    const isGiven = seen.records.escalations.includes(key);
    return isGiven ? [] : [{ kind: "hint", key, hint, text: hintText(hint, seen.rules.handle) }];
  });
}

/** Consumed either way, so it means nothing once its author gets the permission. */
function shortened(action: ActionOf<"acknowledge">, answer: RefusalAnswer): Action {
  if (answer === "words") return action;
  return { ...action, text: null, reaction: answer === "none" ? null : action.reaction };
}

function acknowledge(
  seen: Observation,
  situation: Situation,
  said: SaidCommand,
  ruling: Settled,
): ActionOf<"acknowledge"> {
  const record: CommandRecord = {
    comment: said.comment,
    word: said.command.word,
    by: said.by.id,
    at: said.at,
    head: said.head?.sha ?? null,
    outcome: outcomeOf(ruling),
    ...argumentsOf(said.command),
  };
  const { reaction, text } = acknowledgement(seen, situation, said, ruling);
  return { kind: "acknowledge", key: actionKey("acknowledge", said.comment), record, reaction, text };
}

function argumentsOf(command: SaidCommand["command"]): Pick<CommandRecord, "forMs" | "uptoMicroUsd" | "limitMs"> {
  const none = { forMs: null, uptoMicroUsd: null, limitMs: null };
  if (command.kind === "malformed") return none;
  if (command.word === "disable-reviews") return { ...none, forMs: command.forMs };
  if (command.word !== "fix") return none;
  return { ...none, uptoMicroUsd: command.uptoMicroUsd, limitMs: command.limitMs };
}

type Settled = Exclude<Ruling, { readonly kind: "wait" }>;

function outcomeOf(ruling: Settled): CommandRecord["outcome"] {
  switch (ruling.kind) {
    case "obey":
      return "obeyed";
    case "refuse":
      return "refused";
    case "void":
      return "void";
    case "malformed":
    case "nothing_to_do":
      return ruling.kind;
    default:
      return never(ruling);
  }
}
