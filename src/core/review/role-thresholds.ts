export interface Thresholds {
  readonly problemScore: number;
  readonly blockingScore: number;
}

export interface ThresholdRules extends Thresholds {
  readonly roles?: readonly {
    readonly name: string;
    readonly problemScore?: number | undefined;
    readonly blockingScore?: number | undefined;
  }[];
}

export function thresholdsOf(rules: ThresholdRules, role: string): Thresholds {
  const own = rules.roles?.find(({ name }) => name === role);
  return {
    problemScore: own?.problemScore ?? rules.problemScore,
    blockingScore: own?.blockingScore ?? rules.blockingScore,
  };
}
