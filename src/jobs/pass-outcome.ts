import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { RawFinding } from "#core/model/finding.ts";
import { Instant } from "#core/model/instant.ts";
import { Coverage } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import { passWords } from "#core/words/pass-words.ts";
import type { DiffRead } from "#ports/git.ts";

export const PassOutcome = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("completed"),
    findings: z.array(RawFinding),
    coverage: Coverage,
    summary: z.string(),
    costMicroUsd: z.number().int().nonnegative(),
  }),
  /** Trying again would not help. The outcome says so and settles no finding. */
  z.strictObject({
    kind: z.literal("unread"),
    coverage: Coverage,
    summary: z.string(),
    costMicroUsd: z.number().int().nonnegative().default(0),
  }),
  z.strictObject({
    kind: z.literal("failed"),
    why: z.string(),
    retryAt: Instant.nullable(),
    costMicroUsd: z.number().int().nonnegative().default(0),
  }),
]);
export type PassOutcome = Data<typeof PassOutcome>;

export const summaryCharactersMax = 8_000;

export const passStep = { name: "look", schema: PassOutcome };

export function failedPass(why: string, costMicroUsd = 0): PassOutcome {
  return { kind: "failed", why, retryAt: null, costMicroUsd };
}

export function unreadDiff(read: Exclude<DiffRead, { readonly kind: "diff" }>): PassOutcome {
  switch (read.kind) {
    case "over_limit":
      return unreadPass("size", passWords.tooLarge(read.max));
    case "unrelated":
      return unreadPass("unreadable", passWords.unrelated);
    case "unknown_commit":
      return failedPass(passWords.commitsMissing);
    default:
      return never(read);
  }
}

/** A coverage without names would count as no pass at all. */
export function unreadPass(
  why: Coverage["unread"][number]["why"],
  summary: string,
  costMicroUsd = 0,
  paths: readonly string[] = [],
): PassOutcome {
  const named = paths.length === 0 ? [passWords.wholeChange] : paths;
  return {
    kind: "unread",
    coverage: { filesRead: 0, unread: named.map((path) => ({ path, why })) },
    summary,
    costMicroUsd,
  };
}
