export interface Thresholds {
  /** Below it a finding is dropped. */
  readonly problemScore: number;
  /** At or above it a finding blocks. */
  readonly blockingScore: number;
}

/** What is asked of the rules to know what weighs how much: for all roles, and for some of them. */
export interface ThresholdRules extends Thresholds {
  readonly roles?: readonly {
    readonly name: string;
    readonly problemScore?: number | undefined;
    readonly blockingScore?: number | undefined;
  }[];
}

/** What holds for the findings of a role: its own word first. */
export function thresholdsOf(rules: ThresholdRules, role: string): Thresholds {
  const own = rules.roles?.find(({ name }) => name === role);
  return {
    problemScore: own?.problemScore ?? rules.problemScore,
    blockingScore: own?.blockingScore ?? rules.blockingScore,
  };
}
