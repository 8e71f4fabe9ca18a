import { type Diff, parseDiff } from "#core/diff/diff.ts";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { firstLine, hunksOf, lineAfter } from "#core/diff/hunk.ts";
import { errorText } from "#core/error-text.ts";
import { type PathFilter, readPathFilter } from "#core/files/path-pattern.ts";
import { rankOf } from "#core/prompt/file-rank.ts";
import type { PackedCall, PackedDiff } from "#core/prompt/pack-diff.ts";
import { sanitise } from "#core/prompt/sanitise.ts";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import { maskSecretsInLines } from "#core/secrets/mask-secret-formats.ts";
import { shortPath } from "#core/words/short-path.ts";
import type { PromptPart } from "#ports/agent.ts";
import type { ChangeView } from "#ports/change-view.ts";
import type { Model } from "#ports/model.ts";
import { bareBrief } from "#reviewers/model/built-in-briefs.ts";
import { packChange } from "#reviewers/model/pack-change.ts";
import { fitText, readRepositoryGuidelines } from "#reviewers/model/repository-guidelines.ts";
import { readRepositoryText } from "#reviewers/model/repository-text.ts";
import { sharedParts } from "#reviewers/model/review-prompt.ts";
import type { ReviewLimits } from "#reviewers/model/review-settings.ts";

/** A line can be as large as its file. */
const lineCharactersMax = 200;

const linesMax = 1_000;
const attributes = ["linguist-generated", "linguist-vendored"] as const;

export interface RenderedChange {
  readonly packed: PackedDiff;
  /** Files with anything shown: no finding can be in another one. */
  readonly shown: Diff;
  readonly context: PromptContext;
  readonly notes: readonly string[];
}

interface Showing {
  readonly model: Pick<Model, "cacheTokensMin">;
  readonly limits: ReviewLimits;
  /** Whether sent more than once, so that reaching the cache pays. */
  readonly isRepeated: boolean;
}

export type RenderOutcome =
  | { readonly kind: "shown"; readonly change: RenderedChange }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** The same change, limits and model make the same prompt to the letter, for the provider's cache. */
export async function renderChange(view: ChangeView, { model, limits, isRepeated }: Showing): Promise<RenderOutcome> {
  const parsed = parseDiff(view.diff);
  if (parsed.kind !== "diff") {
    return { kind: "unreadable", why: `${parsed.reason} (byte ${parsed.offset} of the diff)` };
  }
  const { brief = bareBrief, excludedPaths } = view;
  try {
    const mayBeMarked = parsed.diff.files.some(({ path }) => rankOf(path) === "generated");
    const isMarked = mayBeMarked ? await readGeneratedMarks(view) : undefined;
    const { packed, notes } = packChange({ diff: parsed.diff, brief, excludedPaths, isMarked, limits });
    const inCalls = new Set(packed.calls.flatMap(({ paths }) => paths));
    const shown = { ...parsed.diff, files: parsed.diff.files.filter(({ path }) => inCalls.has(path)) };
    const diffTokens = packed.calls.reduce((sum, call) => sum + call.tokens, 0);
    const cacheTokensMin = isRepeated && diffTokens > 0 ? model.cacheTokensMin : undefined;
    const context = await readContext(view, limits, { shown, diffTokens, cacheTokensMin });
    return { kind: "shown", change: { packed, shown, context, notes: [...context.notes, ...notes] } };
  } catch (error) {
    const why = `The repository could not be read: ${errorText(error)}`;
    return { kind: "failed", why };
  }
}

export function partsOf({ packed, context }: RenderedChange, call: PackedCall): readonly PromptPart[] {
  return sharedParts({ ...context, diff: call.text, notShown: notShownWords(packed, call) });
}

const namesMax = 60;

/** By name, so that the model does not take the rest of the change for missing. */
function notShownWords({ calls, unread }: PackedDiff, call: PackedCall): string {
  const here = new Set(call.paths);
  const elsewhere = calls.flatMap(({ paths }) => paths).filter((path) => !here.has(path));
  const names = [...new Set(elsewhere.map(shortPath)), ...unread.map(({ path, why }) => `${shortPath(path)} (${why})`)];
  const rest = names.length - namesMax;
  return [...names.slice(0, namesMax), ...(rest > 0 ? [`and ${rest} more files`] : [])].join("\n");
}

interface PromptContext {
  readonly rules: string;
  readonly about: string;
  readonly around: string;
  readonly notes: readonly string[];
}

interface Shown {
  readonly shown: Diff;
  readonly diffTokens: number;
  readonly cacheTokensMin: number | undefined;
}

async function readContext(
  view: ChangeView,
  { rulesTokensMax, aboutTokensMax }: Pick<ReviewLimits, "rulesTokensMax" | "aboutTokensMax">,
  { shown, diffTokens, cacheTokensMin }: Shown,
): Promise<PromptContext> {
  const rules = await readRepositoryGuidelines(view, rulesTokensMax);
  const about = fitText(aboutText(view), aboutTokensMax);
  const promptTokens = diffTokens + estimateTokens(rules.text) + estimateTokens(about.text);
  return {
    rules: rules.text,
    about: about.text,
    around:
      cacheTokensMin === undefined ? "" : await readSurroundingCode(view, shown, { cacheTokensMin, promptTokens }),
    notes: [
      ...(rules.isCut ? ["The rules of the repository did not fit; only their beginning was read."] : []),
      ...(about.isCut ? ["The description of the pull did not fit; only its beginning was read."] : []),
    ],
  };
}

/** Sanitised before it is cut: a cut could open a comment that the author had closed. */
function aboutText({ about }: ChangeView): string {
  if (about === undefined) return "";
  return [about.title, about.description]
    .map((text) => sanitise(text).trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

/** From the merge base: a change must not choose what of it is read. Quoted patterns and macros are ignored. */
export async function readGeneratedMarks(view: Pick<ChangeView, "readFile">): Promise<(path: string) => boolean> {
  const text = await readRepositoryText(view, { side: "old", path: ".gitattributes" });
  const marks = (text ?? "").split("\n").slice(0, linesMax).flatMap(readMarks);
  return (path) => attributes.some((name) => isSet(marks, { name, path }));
}

interface Mark {
  readonly name: string;
  readonly isOn: boolean;
  readonly filter: PathFilter;
}

function readMarks(line: string): readonly Mark[] {
  const [pattern = "", ...words] = line.trim().split(/\s+/);
  if (pattern === "" || /^(?:#|"|\[attr\])/.test(pattern)) return [];
  const filter = readPathFilter([pattern]);
  return words.flatMap((word) => {
    const [, off = "", name = "", value = "true"] = /^([-!]?)([^=]+)(?:=(.*))?$/.exec(word) ?? [];
    return (attributes as readonly string[]).includes(name)
      ? [{ name, isOn: off === "" && value !== "false", filter }]
      : [];
  });
}

/** The last line that matches decides, as in git. */
function isSet(marks: readonly Mark[], { name, path }: { readonly name: string; readonly path: string }): boolean {
  return marks.findLast((mark) => mark.name === name && mark.filter.matches(path))?.isOn ?? false;
}

/** What a conversation sends besides the change; the benchmark of tokens says 582. */
const fixedTokens = 560;
/** The estimate for code is up to so much too high; less would miss the cache now and then. */
const estimateMargin = 1.5;
const filesMax = 3;
/** Lines around a hunk; the next is tried where one gives too little. */
const reaches = [5, 10, 20, 40, 80, 160, 320] as const;

/** Below the cache's length each turn pays for the whole prompt: a few lines more cost less. Empty if none would help. */
export async function readSurroundingCode(
  view: Pick<ChangeView, "readFile">,
  shown: Diff,
  { cacheTokensMin, promptTokens }: { readonly cacheTokensMin: number; readonly promptTokens: number },
): Promise<string> {
  const wanted = Math.ceil((cacheTokensMin - fixedTokens) * estimateMargin) - promptTokens;
  if (wanted <= 0) return "";
  const views: FileView[] = [];
  for (const file of shown.files.filter(({ kind }) => kind === "modified" || kind === "renamed").slice(0, filesMax)) {
    const text = await readRepositoryText(view, { side: "new", path: file.path });
    if (text === null) continue;
    // As a whole: a part of a secret does not look like one.
    const lines = maskSecretsInLines(text, file.path).split("\n");
    views.push({ path: file.path, lines, hunks: rangesOf(shown, file) });
  }
  for (const reach of reaches) {
    const text = views.map((one) => linesAround(one, reach)).join("");
    if (estimateTokens(text) >= wanted) return cutAfter(text, wanted);
  }
  return "";
}

interface FileView {
  readonly path: string;
  readonly lines: readonly string[];
  readonly hunks: readonly Range[];
}

interface Range {
  readonly first: number;
  readonly last: number;
}

function rangesOf(shown: Diff, file: DiffFile): readonly Range[] {
  return hunksOf(shown, file).map((hunk) => ({ first: firstLine(hunk, "new"), last: lineAfter(hunk, "new") - 1 }));
}

function linesAround({ path, lines, hunks }: FileView, reach: number): string {
  const written: string[] = [];
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const isInside = hunks.some((hunk) => number >= hunk.first && number <= hunk.last);
    const isNear = hunks.some((hunk) => number >= hunk.first - reach && number <= hunk.last + reach);
    if (isInside || !isNear) continue;
    if (number !== last + 1) written.push(`@@ ${number}`);
    written.push(` ${line.slice(0, lineCharactersMax)}`);
    last = number;
  }
  return written.length === 0 ? "" : `=== ${path.replace(/[\n\r\t]/g, " ")}\n${written.join("\n")}\n`;
}

function cutAfter(text: string, tokens: number): string {
  let end = text.indexOf("\n");
  while (end !== -1 && estimateTokens(text.slice(0, end)) < tokens) end = text.indexOf("\n", end + 1);
  return end === -1 ? text : text.slice(0, end);
}
