import { z } from "zod";
import type { Data } from "#core/model/data.ts";

/** Absence must have been observed. If it could not be, owners may be required, and are unknown. */
export const CodeOwnersSeen = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("not_asked") }),
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("file"), text: z.string() }),
  z.strictObject({
    kind: z.literal("unknown"),
    why: z.enum([
      /** Git has no such commit, or none of that branch. */
      "commit_missing",
      "git_failed",
      "git_timed_out",
      "too_large",
      "link",
      "not_text",
      /** The change itself, by which the owners that matter are found. */
      "change_too_large",
      "change_unreadable",
    ]),
  }),
]);
export type CodeOwnersSeen = Data<typeof CodeOwnersSeen>;
