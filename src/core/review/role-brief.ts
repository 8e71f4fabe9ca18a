import type { ReviewRules } from "#core/model/rules.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";

/** In the words of the operator or of the base branch: never of the head. */
export interface RoleBrief {
  readonly model: string | null;
  /** Null: what a role of its name looks for. */
  readonly instructions: string | null;
  /** In the manner of CODEOWNERS. Empty: everything. */
  readonly paths: readonly string[];
  readonly pathInstructions: readonly { readonly paths: readonly string[]; readonly instructions: string }[];
  /** The rules of the repository have the last word; this saves saying such findings. */
  readonly problemScore: number;
  /** Null: text that gives orders to models is not searched for. */
  readonly injection: InjectionBrief | null;
  /** `batch`: at half the price, and within a day. */
  readonly delivery: "now" | "batch";
}

export interface InjectionBrief {
  /** The first role of a model points the places out, once for all; what the others leave unsaid proves as little. */
  readonly isTold: boolean;
  readonly verifier: string | null;
}

/** A role that is not named is like any other. */
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
