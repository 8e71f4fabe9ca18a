import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { RawFinding } from "#core/model/finding.ts";
import { Instant } from "#core/model/instant.ts";
import { Coverage } from "#core/model/records.ts";
import { never } from "#core/never.ts";
import type { DiffRead } from "#ports/git.ts";

/** What became of a look, as it is remembered. */
export const LookOutcome = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("completed"),
    findings: z.array(RawFinding),
    coverage: Coverage,
    summary: z.string(),
    costMicroUsd: z.number().int().nonnegative(),
  }),
  /** Nobody could read anything of it, and trying again would not help: it is said, and nothing is settled by it. */
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
    /** What it cost all the same. */
    costMicroUsd: z.number().int().nonnegative().default(0),
  }),
]);
export type LookOutcome = Data<typeof LookOutcome>;

/** Of a summary, as it is kept. */
export const summaryCharactersMax = 8_000;

export const lookStep = { name: "look", schema: LookOutcome };

export function failedLook(why: string, costMicroUsd = 0): LookOutcome {
  return { kind: "failed", why, retryAt: null, costMicroUsd };
}

/** There is no diff to show to anybody. */
export function unreadDiff(read: Exclude<DiffRead, { readonly kind: "diff" }>): LookOutcome {
  switch (read.kind) {
    case "over_limit":
      return unreadLook("size", `The change is larger than ${read.max} bytes, so nobody has read it.`);
    case "unrelated":
      return unreadLook(
        "unreadable",
        "The head and its base have no history in common, so there is no change to read.",
      );
    case "unknown_commit":
      return failedLook("Git does not have the commits that are to be compared.");
    default:
      return never(read);
  }
}

/** No file can be named, but something must be: a coverage without names is taken for no look at all. */
const wholeChange = "(the whole change)";

export function unreadLook(
  why: Coverage["unread"][number]["why"],
  summary: string,
  costMicroUsd = 0,
  paths: readonly string[] = [],
): LookOutcome {
  const named = paths.length === 0 ? [wholeChange] : paths;
  return {
    kind: "unread",
    coverage: { filesRead: 0, unread: named.map((path) => ({ path, why })) },
    summary,
    costMicroUsd,
  };
}
