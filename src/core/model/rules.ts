import { z } from "zod";
import { readPattern } from "#core/approval/path-pattern.ts";
import type { Data } from "#core/model/data.ts";
import { AccountId } from "#core/model/ids.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";

/** The rules of the operator and of the base branch, already merged. Never the head's. */

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
  /** A name of one of the operator's models; the first one if absent. */
  model: z.string().min(1).max(40).optional(),
  instructions: instructions.optional(),
  paths: pathPatterns.optional(),
  /** Instead of those for all roles. */
  problemScore: score.optional(),
  blockingScore: score.optional(),
  /** `batch`: at half the price, and within a day. */
  delivery: z.enum(["now", "batch"]).optional(),
});

export const ReviewRules = z
  .strictObject({
    automatic: z.enum(["enabled", "disabled"]).default("enabled"),
    /** The base branch's own file may set `automatic`. */
    repositorySetsAutomatic: z.boolean().default(false),
    roles: z
      .array(Role)
      .min(1)
      .refine((roles) => new Set(roles.map(({ name }) => name)).size === roles.length, "two roles have the same name")
      .default(() => [{ name: "general", reviewer: "rules" as const }]),
    problemScore: score.default(5),
    blockingScore: score.default(7),
    excludedPaths: pathPatterns.default(() => []),
    pathInstructions: z
      .array(z.strictObject({ paths: pathPatterns.min(1), instructions }))
      .max(50)
      .default(() => []),
    /** Whether people are told of text that seems to command models; it is fenced data either way. */
    injection: z.enum(["flag", "off"]).default("flag"),
    /** The operator's model that checks such text again; none if absent. */
    injectionVerifier: z.string().min(1).max(40).optional(),
    tellsStart: z.boolean().default(false),
    tellsEnd: z.boolean().default(false),
    /** People do not read more remarks in one review; the rest goes to the summary. */
    commentsMax: count.default(20),
    attemptsMax: z.number().int().positive().default(3),
    /** Paid reviews of a pull whose author has no write permission. Rules go on for each head. */
    outsiderReviewsMax: count.default(3),
    /** For a review that could not read everything; it never makes the gate green. */
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

/** `people` are logins, `teams` are `organisation/name`. */
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
  /** Without a new remark: people write several in a row. */
  quietMs: z.number().int().nonnegative().default(minuteMs),
  attemptsMax: z.number().int().positive().default(3),
  roundsMax: z.number().int().positive().default(10),
});

const MergeRules = z.strictObject({
  /** `on_command`: only a writer's `merge` starts it; `when_approved`: the approval does. */
  when: z.enum(["never", "on_command", "when_approved"]).default("never"),
  requireCI: z.boolean().default(true),
  /** Must have reported and passed; without names, only those that reported count. */
  requiredChecks: z.array(z.string().min(1)).default(() => []),
  /** `queue` is the forge's merge queue, else Drover's. */
  how: z.enum(["direct", "queue"]).default("direct"),
});

const ConversationRules = z.strictObject({
  /** An answer costs money, so strangers are left out unless the operator says so. */
  answers: z.enum(["author_and_writers", "everyone"]).default("author_and_writers"),
  /** For people without write permission, on one pull. Edits count. */
  outsiderAnswersMax: count.default(10),
});

export const Rules = z.strictObject({
  handle: z
    .string()
    .regex(/^@[A-Za-z0-9](?:[A-Za-z0-9._-]{0,60}[A-Za-z0-9])?$/, 'expected a handle such as "@drover"')
    .default("@drover"),
  trustedBots: z.array(AccountId).default(() => []),
  humans: z.array(z.string()).default(() => []),
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
