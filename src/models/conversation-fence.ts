import { createHmac } from "node:crypto";
import { splitPromptPrefix } from "#models/prompt-prefix.ts";
import type { ModelMessage } from "#ports/model.ts";
import type { Random } from "#ports/random.ts";

/**
 * The fence of a conversation. It has to be the same in all of its turns, or the provider's cache would never serve
 * them, and nothing is kept from turn to turn. So it is derived from the data with which the conversation begins,
 * with a key that only this process knows. An author who learns a fence from an echo and writes it into that data
 * gets another fence by doing so. Later data loses the fence before it is put between fences. Instructions play no
 * part, so conversations about the same data share their beginning.
 */
export function createFences(random: Random): (messages: readonly ModelMessage[]) => string {
  const key = random.token() + random.token();
  return (messages) => {
    const hmac = createHmac("sha256", key);
    for (const part of splitPromptPrefix(messages).data) {
      if (part.kind === "data") hmac.update(JSON.stringify([part.title, part.text]));
    }
    return hmac.digest("hex").slice(0, fenceCharacters);
  };
}

/** 64 bits cannot be found by trying. Each conversation pays for them in tokens with every part. */
const fenceCharacters = 16;
