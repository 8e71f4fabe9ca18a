export interface GithubPosition {
  readonly path: string;
  readonly line: number;
  readonly side: "LEFT" | "RIGHT";
  readonly start_line?: number;
  readonly start_side?: "LEFT" | "RIGHT";
}

export type GiteaPosition =
  | { readonly path: string; readonly new_position: number }
  | { readonly path: string; readonly old_position: number };
