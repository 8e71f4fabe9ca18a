import type { Refusal } from "#core/budget/choose-offer.ts";
import { refusalWords } from "#core/words/budget-words.ts";
import { outgoing } from "#core/words/outgoing.ts";

export function exhaustedSessions(why: "attempts" | "rounds"): string {
  return why === "attempts"
    ? "**Fixing has stalled.** Several sessions in a row ended without a commit, so Drover stops here: a person should take over."
    : "**Fixing has reached its limit of rounds** for this pull. A person should take over, or raise `fix.roundsMax`.";
}

/** A session that waits because a cap is used up. */
export function unpaidSession(refusal: Refusal, handle: string): string {
  return outgoing(`**Fixing waits for money.** ${refusalWords(refusal, "the session goes on by itself")}`, handle);
}
