import { rankOf } from "#core/prompt/file-rank.ts";
import { maskLoneKeyLine } from "#core/words/mask-key-lines.ts";
import { maskSecretsInLines } from "#core/words/mask-secrets.ts";
import type { RepositoryView, ReviewJob, SearchHits } from "#ports/reviewer.ts";
import { isPathOfRepository, readText } from "#reviewers/model/repository-text.ts";

/** Reading a file costs a call to git, so a search looks at no more than this. */
const filesMax = 300;
const hitsMax = 60;
const hitCharactersMax = 200;
const textCharactersMax = 200;

interface Searched {
  readonly job: ReviewJob;
  readonly repository: RepositoryView;
  readonly signal: AbortSignal;
}

/** Lines with that text in them. What was not searched is said. */
export async function searchRepository(
  searched: Searched,
  { text, folder }: { readonly text: string; readonly folder: string },
): Promise<string> {
  const wanted = text.trim();
  if (wanted === "" || wanted.length > textCharactersMax || wanted.includes("\n")) return notOneText;
  const below = folder.replace(/^\.?\/+|\/+$/g, "");
  if (below !== "" && !isPathOfRepository(below)) return noFolder;
  const { repository, signal } = searched;
  const found = await repository.search?.({ text: wanted, folder: below, isSkipped: isGenerated, hitsMax, signal });
  if (found === undefined) return await readThrough(searched, { wanted: wanted.toLowerCase(), below });
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
    ...alsoIn.slice(0, alsoInMax).map((path) => `${path}: holds it as well, and cannot be shown`),
    ...(isCut ? ["(there is more: name a folder, or search for a longer text)"] : []),
  ];
}

/** Masked before it is cut, since a part of a secret does not look like one. */
function shownHit(line: string): string {
  return maskLoneKeyLine(maskSecretsInLines(line.trim())).slice(0, hitCharactersMax);
}

/** File by file, as far as that goes. */
async function readThrough(
  { job, repository, signal }: Searched,
  { wanted, below }: { readonly wanted: string; readonly below: string },
): Promise<string> {
  const listed = await repository.listFiles(below);
  if (listed === null) return noFolder;
  const paths = listed.paths.filter((path) => !isGenerated(path));
  const hits: string[] = [];
  for (const path of paths.slice(0, filesMax)) {
    if (hits.length >= hitsMax || signal.aborted) break;
    hits.push(...(await hitsIn(job, path, wanted)));
  }
  const found = hits.length === 0 ? "Nothing found." : hits.slice(0, hitsMax).join("\n");
  const isPart = paths.length > filesMax || listed.isCut;
  return isPart ? `${found}\n(only ${filesMax} files were searched: name a folder)` : found;
}

async function hitsIn(job: ReviewJob, path: string, wanted: string): Promise<readonly string[]> {
  const content = await readText(job, { side: "new", path });
  if (content === null || !content.toLowerCase().includes(wanted)) return [];
  return content
    .split("\n")
    .flatMap((line, index) => (line.toLowerCase().includes(wanted) ? [`${path}:${index + 1}: ${shownHit(line)}`] : []));
}
