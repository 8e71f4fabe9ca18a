/** `start_line` only for more than one line. */
export interface GithubPosition {
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly start_line?: number;
  readonly start_side?: "LEFT" | "RIGHT";
}

/** One line of the file, not of the diff. */
export type GiteaPosition =
  | { readonly path: string; readonly new_position: number }
  | { readonly path: string; readonly old_position: number };
