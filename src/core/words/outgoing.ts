import { openFence } from "#core/markdown/open-fence.ts";
import { limits } from "#core/model/limits.ts";
import { maskSecrets } from "#core/secrets/mask-secret-formats.ts";
import { neutralise, neutraliseBlocks, neutraliseMentions } from "#core/words/neutralise.ts";

/** Room for the sentinel before the words and the state blocks after them. */
const reservedCharacters = 16_384;

export const outgoingCharactersMax = limits.bodyCharactersMax - reservedCharacters;

const cutNotice = "\n\n_The rest did not fit into one comment._";

/** Nothing in it is a command, a mention, a secret or a state block. The effect that calls people adds their names. */
export function outgoing(text: string, handle: string): string {
  let written = inert(maskSecrets(text), handle);
  // Cutting can bring a handle back to life, and neutralising it makes the text longer.
  for (let round = 0; written.length > outgoingCharactersMax; round++) {
    if (round === roundsMax) return cutNotice.trim();
    written = inert(fit(written), handle);
  }
  return written;
}

const roundsMax = 8;

function inert(text: string, handle: string): string {
  return neutralise(neutraliseMentions(neutraliseBlocks(text), { except: [] }), handle);
}

/** At the end of a line, closing a code block that the cut left open. */
function fit(text: string): string {
  if (text.length <= outgoingCharactersMax) return text;
  const room = text.slice(0, outgoingCharactersMax - cutNotice.length - 16);
  const kept = room.slice(0, Math.max(0, room.lastIndexOf("\n")));
  const fence = openFence(kept);
  return fence === null ? kept + cutNotice : `${kept}\n${fence}${cutNotice}`;
}
