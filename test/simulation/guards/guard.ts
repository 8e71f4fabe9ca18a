/** A line of the production code that keeps something bad from happening, and what the code would be without it. */
export interface Guard {
  /** In kebab case; `npm run mutate -- --only` wants it. */
  readonly name: string;
  /** What happens to people where it is missing. */
  readonly why: string;
  readonly file: string;
  /** The source that is the guard. It occurs exactly once in the file. */
  readonly text: string;
  /** What stands there without it; it must still be a program. */
  readonly instead: string;
  /**
   * Who notices. The simulation does, unless what is guarded cannot be seen from the forge's side at all: then a test
   * file that must fail is named, with the reason why no seed can.
   */
  readonly killedBy?: { readonly test: string; readonly because: string };
}
