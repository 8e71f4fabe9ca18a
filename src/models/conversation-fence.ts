import { createHmac } from "node:crypto";
import { splitPromptPrefix } from "#models/prompt-prefix.ts";
import type { ModelMessage } from "#ports/model.ts";
import type { Random } from "#ports/random.ts";

/**
 * The same in all turns, for the provider's cache, without a store: derived from the conversation's first data with a key
 * of this process. Who learns a fence and writes it into that data gets another one; later data loses the fence.
 * Instructions play no part, so conversations about the same data share their beginning.
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

/** 64 bits cannot be found by trying; every part pays for them in tokens. */
const fenceCharacters = 16;
