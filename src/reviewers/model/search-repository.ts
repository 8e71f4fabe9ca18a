import { rankOf } from "#core/prompt/file-rank.ts";
import { maskLoneKeyLine } from "#core/secrets/mask-private-keys.ts";
import { maskSecretsInLines } from "#core/secrets/mask-secret-formats.ts";
import { counted } from "#core/words/counted.ts";
import type { ChangeView, RepositoryView, SearchHits, SearchRequest } from "#ports/change-view.ts";
import { isPathOfRepository, readRepositoryText } from "#reviewers/model/repository-text.ts";

/** Each file costs a call to git. */
const filesMax = 300;
const hitsMax = 60;
const hitCharactersMax = 200;
const textCharactersMax = 200;

interface Searched {
  readonly view: ChangeView;
  readonly repository: RepositoryView;
  readonly signal: AbortSignal;
}

export async function searchRepository(
  searched: Searched,
  { text, folder }: { readonly text: string; readonly folder: string },
): Promise<string> {
  const wanted = text.trim();
  if (wanted === "" || wanted.length > textCharactersMax || wanted.includes("\n")) return notOneText;
  const below = folder.replace(/^\.?\/+|\/+$/g, "");
  if (below !== "" && !isPathOfRepository(below)) return noFolder;
  const { repository, signal } = searched;
  // A call that names a generated file or folder means it.
  const isSkipped = isGenerated(below) || isGenerated(`${below}/file`) ? (): boolean => false : isGenerated;
  const found = await repository.search?.({ text: wanted, folder: below, isSkipped, hitsMax, signal });
  if (found === undefined) return await readThrough(searched, { wanted: wanted.toLowerCase(), below, isSkipped });
  if (found === null) return notOneText;
  const lines = foundLines(found);
  if (lines.length > 0) return lines.join("\n");
  const isThere = below === "" || (await searched.repository.listFiles(below)) !== null;
  return isThere ? "Nothing found." : "Nothing found: that is no folder, or a file without this text.";
}

const notOneText = "Search for one short text.";
const noFolder = "There is no such folder.";
const alsoInMax = 20;

function isGenerated(path: string): boolean {
  return rankOf(path) === "generated";
}

function foundLines({ hits, alsoIn, isCut }: SearchHits): readonly string[] {
  return [
    ...hits.map(({ path, line, text }) => `${path}:${line}: ${shownHit(text)}`),
    ...alsoIn.slice(0, alsoInMax).map((path) => `${path}: holds it as well, not shown`),
    ...(alsoIn.length > alsoInMax ? [`(and ${alsoIn.length - alsoInMax} more such files)`] : []),
    ...(isCut ? ["(there is more: name a folder, or search for a longer text)"] : []),
  ];
}

/** Masked before it is cut, since a part of a secret does not look like one. */
function shownHit(line: string): string {
  return maskLoneKeyLine(maskSecretsInLines(line.trim())).slice(0, hitCharactersMax);
}

async function readThrough(
  { view, repository, signal }: Searched,
  { wanted, below, isSkipped }: Pick<SearchRequest, "isSkipped"> & { readonly wanted: string; readonly below: string },
): Promise<string> {
  const listed = await repository.listFiles(below);
  if (listed === null) return noFolder;
  const paths = listed.paths.filter((path) => !isSkipped(path));
  const hits: string[] = [];
  for (const path of paths.slice(0, filesMax)) {
    if (hits.length >= hitsMax || signal.aborted) break;
    hits.push(...(await hitsIn(view, path, wanted)));
  }
  const found = hits.length === 0 ? "Nothing found." : hits.slice(0, hitsMax).join("\n");
  const skipped = listed.paths.length - paths.length;
  return [
    found,
    ...(skipped > 0 ? [`(${counted(skipped, "generated file was", "generated files were")} not searched)`] : []),
    ...(paths.length > filesMax || listed.isCut ? [`(only ${filesMax} files were searched: name a folder)`] : []),
  ].join("\n");
}

async function hitsIn(view: ChangeView, path: string, wanted: string): Promise<readonly string[]> {
  const content = await readRepositoryText(view, { side: "new", path });
  if (content === null || !content.toLowerCase().includes(wanted)) return [];
  return content
    .split("\n")
    .flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [`${path}:${index + 1}: ${shownHit(line)}`] : []));
}
