import { z } from "zod";
import { encodeText } from "#core/diff/decode-text.ts";
import { HeadSha, Untrusted } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { Shape } from "#core/model/shape.ts";
import { type DiffFileSketch, diffText } from "#core/prompt/prompt-makers.ts";
import type { RoleBrief } from "#core/review/role-brief.ts";
import type { Model, ModelTurn, TurnOutcome } from "#ports/model.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";
import { bareBrief } from "#reviewers/model/built-in-briefs.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";
import type { ReviewAnswer, SaidFinding } from "#reviewers/model/review-answer.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** For tests: a model that answers from a script. */

export interface ScriptedModel extends Model {
  readonly turns: readonly ModelTurn<unknown>[];
}

export type ScriptLine =
  | { readonly kind: "unreadable" | "failed" }
  | { readonly kind: "says"; readonly answer: unknown }
  | { readonly kind: "asks"; readonly look: (turn: ModelTurn<unknown>) => Promise<unknown> };

export function says(answer: Partial<ReviewAnswer> = {}): ScriptLine {
  return { kind: "says", answer: { summary: "", findings: [], verdicts: [], ...answer } };
}

/** Keeps to the port: a wrong shape is unreadable, and its words are repeated to it in the next turn. */
export function scriptedModel(
  script: readonly ScriptLine[] | ((turn: ModelTurn<unknown>) => ScriptLine),
): ScriptedModel {
  const turns: ModelTurn<unknown>[] = [];
  const usage = { calls: [], costMicroUsd: 100 };
  return {
    turns,
    ask: () => Promise.reject(new Error("nobody asks this model anything in passing")),
    converse: async <Value>(turn: ModelTurn<Value>): Promise<TurnOutcome<Value>> => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the type of the shape differs.
      const heard = turn as ModelTurn<unknown>;
      turns.push(heard);
      const line = typeof script === "function" ? script(heard) : script[turns.length - 1];
      if (line === undefined || line.kind === "failed") {
        return { kind: "failed", why: "overloaded", retryAt: instant(5_000), usage };
      }
      const answer = line.kind === "says" ? line.answer : line.kind === "asks" ? await line.look(heard) : undefined;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a shape the value is text.
      const shape = turn.shape ?? (z.string() as unknown as Shape<Value>);
      const read = shape.safeParse(answer);
      if (!read.success) return { kind: "unreadable", why: "the answer is no JSON", usage };
      return { kind: "answered", value: read.data, said: [{ from: "model", text: JSON.stringify(answer) }], usage };
    },
  };
}

export function aSaidFinding(change: Partial<SaidFinding> = {}): SaidFinding {
  return {
    id: 1,
    rule: "missing-await",
    path: "src/a.ts",
    line: 2,
    code: "save(order);",
    message: "The order is not saved when the process ends here.",
    score: 8,
    fix: null,
    ...change,
  };
}

export const changedFiles: readonly DiffFileSketch[] = [
  { path: "src/a.ts", hunks: [[" const order = load();", "+save(order);", " done();"]] },
  { path: "src/b.ts", hunks: [["-old();", "+fresh();"]] },
];

export interface JobSketch {
  readonly files?: readonly DiffFileSketch[];
  readonly role?: string;
  readonly excludedPaths?: readonly string[];
  readonly about?: { readonly title: string; readonly description: string };
  readonly texts?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export function aModelJob({ files = changedFiles, texts = {}, about, ...rest }: JobSketch = {}): ReviewJob {
  const head = HeadSha.parse("a".repeat(40));
  return {
    role: "general",
    head,
    baseBranch: "main",
    diff: encodeText(diffText(files)),
    readFile: (_, path) => {
      const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
      return Promise.resolve(text === undefined ? null : encodeText(text));
    },
    excludedPaths: [],
    about: about && { title: Untrusted.parse(about.title), description: Untrusted.parse(about.description) },
    repository: {
      listFiles: (folder) => {
        const paths = Object.keys(texts).filter((path) => folder === "" || path.startsWith(`${folder}/`));
        return Promise.resolve(paths.length === 0 ? null : { paths: paths.toSorted(), isCut: false });
      },
      history: () =>
        Promise.resolve([
          { commit: head, author: Untrusted.parse("Ann"), at: instant(0), subject: Untrusted.parse("Save orders") },
        ]),
    },
    signal: new AbortController().signal,
    ...rest,
  };
}

export function reviewerOf(
  model: Model,
  { limits, brief = {} }: { readonly limits?: Partial<ReviewLimits>; readonly brief?: Partial<RoleBrief> } = {},
): Reviewer {
  const reviewer = modelReviewer({ modelOf: () => model, limits });
  return { ...reviewer, review: (job) => reviewer.review({ ...job, brief: { ...bareBrief, ...brief } }) };
}
