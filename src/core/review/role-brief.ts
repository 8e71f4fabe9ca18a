import type { ReviewRules } from "#core/model/rules.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";

/** A role as a model is told of it, in the words of the operator or of the base branch: never of the head. */
export interface RoleBrief {
  /** Which of the operator's models plays it, by its name there; null is the first one. */
  readonly model: string | null;
  /** Null: what a role of its name looks for. */
  readonly instructions: string | null;
  /** Patterns in the manner of CODEOWNERS: the role looks at nothing else. Empty: at everything. */
  readonly paths: readonly string[];
  /** More to know about some of the paths; said where the change touches them. */
  readonly pathInstructions: readonly { readonly paths: readonly string[]; readonly instructions: string }[];
  /** Findings below are not wanted. The rules of the repository have the last word; this saves saying them. */
  readonly problemScore: number;
  /** The treatment of text that seems to give orders to a model; null: such text is not searched for. */
  readonly injection: InjectionBrief | null;
  /** `batch`: at half the price, and within a day. */
  readonly delivery: "now" | "batch";
}

export interface InjectionBrief {
  /** The first of the roles that a model plays points the places out, once for all; what the others leave unsaid proves as little. */
  readonly isTold: boolean;
  /** Which of the operator's models looks at the places again. */
  readonly verifier: string | null;
}

/** What the rules in force say about a role. One that they do not name is like any other. */
export function briefOf(reviews: ReviewRules, role: string): RoleBrief {
  const said = reviews.roles.find(({ name }) => name === role);
  return {
    model: said?.model ?? null,
    instructions: said?.instructions ?? null,
    paths: said?.paths ?? [],
    pathInstructions: reviews.pathInstructions,
    problemScore: thresholdsOf(reviews, role).problemScore,
    injection: injectionOf(reviews, role),
    delivery: said?.delivery ?? "now",
  };
}

function injectionOf({ injection, injectionVerifier, roles }: ReviewRules, role: string): RoleBrief["injection"] {
  if (injection === "off") return null;
  const isTold = role === roles.find(({ reviewer }) => reviewer === "model")?.name;
  return { isTold, verifier: isTold ? (injectionVerifier ?? null) : null };
}
