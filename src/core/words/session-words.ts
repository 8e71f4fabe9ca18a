export function exhaustedSessions(why: "attempts" | "rounds"): string {
  return why === "attempts"
    ? "**Fixing has stalled.** Several sessions in a row ended without a commit, so Drover stops here: a person should take over."
    : "**Fixing has reached its limit of rounds** for this pull. A person should take over, or raise `fix.roundsMax`.";
}
