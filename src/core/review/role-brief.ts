import type { ReviewRules } from "#core/model/rules.ts";
import { thresholdsOf } from "#core/review/role-thresholds.ts";

export interface RoleBrief {
  readonly model: string | null;
  readonly instructions: string | null;
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
