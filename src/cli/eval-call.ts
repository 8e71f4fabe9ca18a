import type { EvalCall } from "#cli/eval.ts";

/** How `drover eval` is called. Scripts depend on it. */
export const evalUsage =
  "drover eval --set DIR [--role NAME,…] [--config FILE] [--model PROVIDER/MODEL] [--against FILE] [--repeat N] [--jobs N] [--budget USD] [--resume FILE] [--skip-bad] [--fail-under-recall X] [--fail-under-precision X] [--json] [--output FILE] [--no-colour]";

export const evalMeaning =
  "Says how good a reviewer is: lets it look at changes whose problems are known, and counts what it finds, misses and makes up; --against another configuration, or an earlier report, says which is better. The rules need no key. Ends with 0, with 1 where a bound was missed or not everything could be run, with 2 for a wrong call or set.";

export const evalOptions = {
  set: { type: "string" },
  role: { type: "string" },
  config: { type: "string" },
  model: { type: "string" },
  against: { type: "string" },
  repeat: { type: "string" },
  jobs: { type: "string" },
  budget: { type: "string" },
  resume: { type: "string" },
  "skip-bad": { type: "boolean" },
  "fail-under-recall": { type: "string" },
  "fail-under-precision": { type: "string" },
  json: { type: "boolean" },
  output: { type: "string" },
  "no-colour": { type: "boolean" },
  "no-color": { type: "boolean" },
} as const;

export function asEvalCall(options: Readonly<Record<string, string | boolean | undefined>>): EvalCall {
  const text = (name: keyof typeof evalOptions): string | undefined => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    set: text("set"),
    role: text("role"),
    config: text("config"),
    model: text("model"),
    against: text("against"),
    repeat: text("repeat"),
    jobs: text("jobs"),
    budget: text("budget"),
    resume: text("resume"),
    skipsBad: options["skip-bad"] === true,
    failUnderRecall: text("fail-under-recall"),
    failUnderPrecision: text("fail-under-precision"),
    isJson: options["json"] === true,
    output: text("output"),
    isColourless: options["no-colour"] === true || options["no-color"] === true,
  };
}
