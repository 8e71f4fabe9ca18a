/** What is told of the demo, in the order in which it happens. Everything was read from the forge or from a tick. */
export type DemoEvent =
  | {
      readonly kind: "scene";
      readonly number: number;
      readonly at: string;
      readonly title: string;
      /** The rule that it shows. */
      readonly watch: string;
    }
  /** On the forge, by anybody. The lines are those that a push changed. */
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
  /** By Drover, for people to read. */
  | { readonly kind: "wrote"; readonly at: string; readonly what: string; readonly lines: readonly string[] };

export interface DemoDecision {
  readonly about: string;
  readonly words: string;
}
