export type DemoEvent =
  | {
      readonly kind: "scene";
      readonly number: number;
      readonly at: string;
      readonly title: string;
      readonly watch: string;
    }
  | {
      readonly kind: "happened";
      readonly at: string;
      readonly by: string;
      readonly what: string;
      readonly lines: readonly string[];
    }
  | {
      readonly kind: "looked";
      readonly at: string;
      readonly saw: readonly string[];
      readonly decided: readonly DemoDecision[];
      readonly did: readonly string[];
    }
  | { readonly kind: "wrote"; readonly at: string; readonly what: string; readonly lines: readonly string[] };

export interface DemoDecision {
  readonly about: string;
  readonly words: string;
}
