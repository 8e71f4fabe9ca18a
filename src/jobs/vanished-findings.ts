import { resolveAnchorInDiff } from "#core/diff/anchor-in-diff.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import type { Diff } from "#core/diff/diff.ts";
import { readSnippet } from "#core/diff/snippet.ts";
import type { Finding } from "#core/model/finding.ts";
import type { FindingId } from "#core/model/ids.ts";
import { containsCode, type SearchableText, toSearchableText } from "#core/review/code-search.ts";
import { isBlankSnippet } from "#core/review/finding-code.ts";
import type { ComparedCommits } from "#observe/change-facts.ts";
import { GitError } from "#ports/git.ts";

interface Place {
  readonly compared: ComparedCommits;
  readonly diff: Diff;
  /** New path to old path. */
  readonly renames: ReadonlyMap<string, string>;
}

/** Quotes from a larger file are not checked: in doubt the code is still there. */
const fileBytesMax = 5_000_000;

/** Of the findings that stand, those whose quoted code is certainly not at the head any more. */
export async function findVanishedFindings(place: Place, known: readonly Finding[]): Promise<ReadonlySet<FindingId>> {
  const newPaths = new Map([...place.renames].map(([path, old]) => [old, path]));
  const texts = new Map<string, Promise<SearchableText | null | undefined>>();
  const textOf = (path: string): Promise<SearchableText | null | undefined> => {
    const text = texts.get(path) ?? readText(place.compared, path);
    texts.set(path, text);
    return text;
  };
  const gone = new Set<FindingId>();
  for (const finding of known) {
    if (finding.state.kind === "resolved") continue;
    const path = newPaths.get(finding.path) ?? finding.path;
    const isGone =
      finding.side === "new" ? isGoneFrom(finding, await textOf(path)) : isBack(place.diff, { ...finding, path });
    if (isGone) gone.add(finding.id);
  }
  return gone;
}

/** Undefined: unknown. Null: there is no such file. */
async function readText({ mirror, head }: ComparedCommits, path: string): Promise<SearchableText | null | undefined> {
  try {
    const read = await mirror.readFile({ commit: head, path, bytesMax: fileBytesMax });
    if (read.kind === "absent" || read.kind === "folder") return null;
    return read.kind === "file" ? toSearchableText(decodeText(read.bytes)) : undefined;
  } catch (error) {
    // A path that no repository can have: it was made up and cannot be read.
    if (error instanceof GitError && error.kind === "bad_request") return undefined;
    throw error;
  }
}

function isGoneFrom({ snippet }: Finding, text: SearchableText | null | undefined): boolean {
  if (text === undefined) return false;
  if (text === null) return true;
  if (isBlankSnippet(snippet)) return false;
  // A quote may carry the markers of a diff or line numbers; any reading of it that is found is enough to stay.
  const forms = readSnippet(snippet).map((form) => form.new);
  if (forms.some((form) => form.isLossy || form.lines.length === 0)) return false;
  return forms.every((form) => !containsCode(form.lines.map((line) => line.text).join("\n"), text));
}

/** What a finding says about removed code is gone when the change no longer removes it. */
function isBack(diff: Diff, { path, snippet, side, lines }: Finding): boolean {
  if (isBlankSnippet(snippet)) return !diff.files.some((file) => file.path === path);
  const anchor = resolveAnchorInDiff(diff, { path, snippet, side, claimedLine: lines.first });
  return anchor.kind === "not_in_diff" && (anchor.why === "no_match" || anchor.why === "no_such_file");
}
