import type { ReviewCall } from "#cli/review.ts";

/** How `drover review` is called. Scripts depend on it. */
export const reviewUsage =
  "drover review [--base REF | --diff FILE | --staged | --range A..B] [--format text|json|markdown|sarif] [--fail-on blocking|problem|never] [--role NAME,…] [--model PROVIDER/MODEL] [--budget USD] [--output FILE] [--config FILE] [--no-colour]";

export const reviewMeaning =
  "Reviews a change on this machine before anybody else has to: the working tree, what is staged, a range, or a diff (`-` reads standard input). Needs no forge and no key. Ends with 0, with 1 for findings, with 2 for a wrong call.";

export const reviewOptions = {
  base: { type: "string" },
  diff: { type: "string" },
  staged: { type: "boolean" },
  range: { type: "string" },
  format: { type: "string" },
  json: { type: "boolean" },
  "fail-on": { type: "string" },
  role: { type: "string" },
  model: { type: "string" },
  budget: { type: "string" },
  output: { type: "string" },
  config: { type: "string" },
  "no-colour": { type: "boolean" },
  "no-color": { type: "boolean" },
} as const;

export function asReviewCall(options: Readonly<Record<string, string | boolean | undefined>>): ReviewCall {
  const text = (name: keyof typeof reviewOptions): string | undefined => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    base: text("base"),
    diff: text("diff"),
    range: text("range"),
    isStaged: options["staged"] === true,
    // All commands know `--json`.
    format: text("format") ?? (options["json"] === true ? "json" : undefined),
    failOn: text("fail-on"),
    role: text("role"),
    model: text("model"),
    budget: text("budget"),
    output: text("output"),
    config: text("config"),
    isColourless: options["no-colour"] === true || options["no-color"] === true,
  };
}
