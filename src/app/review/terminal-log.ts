import { formatDuration } from "#core/model/instant.ts";
import { visibleLine } from "#core/terminal/visible-text.ts";
import type { Log, LogFacts } from "#ports/log.ts";

export function terminalLog({
  warn,
  tell,
}: {
  readonly warn: (words: string) => void;
  readonly tell: (words: string) => void;
}): Log {
  const say: Log["warn"] = (facts, message) => {
    const shown = Object.entries(facts).map(([name, fact]) => `${name}: ${String(fact)}`);
    warn(shown.length === 0 ? message : `${message} (${shown.join(", ")})`);
  };
  const inform: Log["info"] = (facts) => {
    const words = waitingWords(facts);
    if (words !== null) tell(visibleLine(words));
  };
  return { info: inform, warn: say, error: say };
}

/** The time comes first: the terminal cuts the end of the line. Null: there is nothing to wait for. */
function waitingWords({ model, why, pauseMs, try: tries, triesMax }: LogFacts): string | null {
  if (typeof why === "string" && typeof pauseMs === "number") {
    return `asking again in ${formatDuration(Math.max(pauseMs, shownMsMin))}: ${why}`;
  }
  if (typeof model !== "string" || typeof tries !== "number") return null;
  return `asking ${model} again, try ${tries} of ${String(triesMax)}`;
}

/** A wait of "0 s" would look wrong. */
const shownMsMin = 1_000;
