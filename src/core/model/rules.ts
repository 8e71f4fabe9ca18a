import { z } from "zod";
import { readPattern } from "#core/files/path-pattern.ts";
import type { Data } from "#core/model/data.ts";
import { AccountId } from "#core/model/ids.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";

/** The rules in force for one pull: the operator's and the base branch's, already merged. Never the head's. */

const score = z.number().int().min(1).max(10);
const count = z.number().int().nonnegative();

const pathPattern = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => readPattern(text).kind === "pattern", "expected a pattern such as dist/ or *.min.js");

/** Each path of a change is held against each of them, and some come from repositories. */
const pathPatterns = z.array(pathPattern).max(500);

/** What a model is told in words of the operator or of the base branch. */
const instructions = z.string().min(1).max(4_000);

export const Role = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "expected a lower-case word of at most 40 characters"),
  reviewer: z.enum(["rules", "model", "agent"]),
  /** Which of the operator's models plays it, by its name there; the first one where nothing is said. */
  model: z.string().min(1).max(40).optional(),
  /** What it looks for; roles of some names have words of their own. */
  instructions: instructions.optional(),
  /** It looks at nothing else. */
  paths: pathPatterns.optional(),
  /** Of its findings, in the place of what holds for all roles. */
  problemScore: score.optional(),
  blockingScore: score.optional(),
  /** `batch`: at half the price, and within a day. */
  delivery: z.enum(["now", "batch"]).optional(),
});

export const ReviewRules = z
  .strictObject({
    /** The state before anybody says anything; `disabled` makes reviews opt-in. */
    automatic: z.enum(["enabled", "disabled"]).default("enabled"),
    /** Whether the base branch's own file may set `automatic` for its repository. */
    repositorySetsAutomatic: z.boolean().default(false),
    roles: z
      .array(Role)
      .min(1)
      .refine((roles) => new Set(roles.map(({ name }) => name)).size === roles.length, "two roles have the same name")
      .default(() => [{ name: "general", reviewer: "rules" as const }]),
    /** Below it a finding is dropped. */
    problemScore: score.default(5),
    /** At or above it a finding blocks. */
    blockingScore: score.default(7),
    /** What no role looks at, in the manner of CODEOWNERS. */
    excludedPaths: pathPatterns.default(() => []),
    /** More to know about some paths, for every role that a model plays. */
    pathInstructions: z
      .array(z.strictObject({ paths: pathPatterns.min(1), instructions }))
      .max(50)
      .default(() => []),
    /** Whether text that seems to give orders to a model is pointed out to people; it is fenced data either way. */
    injection: z.enum(["flag", "off"]).default("flag"),
    /** Which of the operator's models checks such text again; none if absent. */
    injectionVerifier: z.string().min(1).max(40).optional(),
    /** Words under a `review` command when its review begins, and when it has ended, beside the review itself. */
    tellsStart: z.boolean().default(false),
    tellsEnd: z.boolean().default(false),
    /** More than this many remarks in one review are not read; the rest goes to the summary. */
    commentsMax: count.default(20),
    /** Failed attempts at one head before Drover gives up and says so. */
    attemptsMax: z.number().int().positive().default(3),
    /** Paid reviews of one pull whose author has no write permission, asked for or not. Rules go on for each head. */
    outsiderReviewsMax: count.default(3),
    /** What a review that could not read everything does to the gate; it never makes it green. */
    partialGate: z.enum(["pending", "neutral"]).default("pending"),
  })
  .refine((rules) => rules.problemScore <= rules.blockingScore, {
    path: ["problemScore"],
    message: "expected problemScore to be at most blockingScore: what blocks must not be dropped",
  })
  .superRefine(({ roles, problemScore, blockingScore }, context) => {
    // Where the two for all roles are wrong, that has been said.
    if (problemScore > blockingScore) return;
    for (const [index, role] of roles.entries()) {
      const [problem, blocking] = [role.problemScore ?? problemScore, role.blockingScore ?? blockingScore];
      if (problem <= blocking) continue;
      const message = `expected the problemScore of the role "${role.name}" (${problem}) to be at most its blockingScore (${blocking}): what blocks must not be dropped`;
      context.addIssue({ code: "custom", path: ["roles", index, "problemScore"], message });
    }
  });
export type ReviewRules = Data<typeof ReviewRules>;

/** Who may approve or trigger. `people` are logins, `teams` are `organisation/name`. */
const Approvers = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("writers") }),
  z.strictObject({ kind: z.literal("listed"), people: z.array(z.string()), teams: z.array(z.string()) }),
]);

export const ApprovalRules = z.strictObject({
  protocols: z.enum(["emoji", "reviews", "both"]).default("both"),
  approvers: Approvers.default(() => ({ kind: "writers" as const })),
  approvalsMin: z.number().int().positive().default(1),
  requiresCodeOwners: z.boolean().default(false),
  pollMs: z
    .number()
    .int()
    .min(secondMs)
    .default(30 * secondMs),
  timeoutMs: z
    .number()
    .int()
    .min(minuteMs)
    .default(2 * hourMs),
});
export type ApprovalRules = Data<typeof ApprovalRules>;

const AllowedUsers = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("writers") }),
  z.strictObject({ kind: z.literal("everyone") }),
  z.strictObject({ kind: z.literal("listed"), people: z.array(z.string()) }),
]);

const FixRules = z.strictObject({
  onFeedback: z.boolean().default(false),
  onRedChecks: z.boolean().default(false),
  onConflict: z.boolean().default(false),
  allowedUsers: AllowedUsers.default(() => ({ kind: "writers" as const })),
  /** How long there must be no new remark before a session begins: people write several remarks in a row. */
  quietMs: z.number().int().nonnegative().default(minuteMs),
  attemptsMax: z.number().int().positive().default(3),
  roundsMax: z.number().int().positive().default(10),
});

const MergeRules = z.strictObject({
  /** `on_command`: only a writer's `merge` starts it; `when_approved`: the approval does. */
  when: z.enum(["never", "on_command", "when_approved"]).default("never"),
  requireCI: z.boolean().default(true),
  /** Checks that must have reported and passed; without it, "all that reported" is all that can be asked. */
  requiredChecks: z.array(z.string().min(1)).default(() => []),
  /** `direct` asks the forge to merge; `queue` hands the pull to a merge queue (the forge's, else Drover's). */
  how: z.enum(["direct", "queue"]).default("direct"),
});

const ConversationRules = z.strictObject({
  /** Whose questions are answered. An answer costs money, so strangers are left out unless the operator says so. */
  answers: z.enum(["author_and_writers", "everyone"]).default("author_and_writers"),
  /** Remarks of people without write permission that a model is asked about, on one pull. Edits count. */
  outsiderAnswersMax: count.default(10),
});

export const Rules = z.strictObject({
  handle: z
    .string()
    .regex(/^@[A-Za-z0-9](?:[A-Za-z0-9._-]{0,60}[A-Za-z0-9])?$/, 'expected a handle such as "@drover"')
    .default("@drover"),
  /** Other bots whose commands count, by account id. */
  trustedBots: z.array(AccountId).default(() => []),
  /** Logins that are called when Drover cannot go on by itself. */
  humans: z.array(z.string()).default(() => []),
  /** A page of the operator's that explains Drover to people; the managed comment links to it. */
  helpUrl: z
    .url({ protocol: /^https?$/, error: "expected an address such as https://wiki.example/drover" })
    .max(500)
    .regex(/^[^\s()<>[\]]+$/, "expected an address without brackets")
    .optional(),
  conversation: ConversationRules.prefault(() => ({})),
  reviews: ReviewRules.prefault(() => ({})),
  approval: ApprovalRules.prefault(() => ({})),
  fix: FixRules.prefault(() => ({})),
  merge: MergeRules.prefault(() => ({})),
});
export type Rules = Data<typeof Rules>;
