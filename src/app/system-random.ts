import { randomBytes } from "node:crypto";
import type { Random } from "#ports/random.ts";

export function createSystemRandom(): Random {
  return { token: () => randomBytes(tokenBytes).toString("hex") };
}

/** 128 bits: enough that no two are ever equal. */
const tokenBytes = 16;
