import { rankOf } from "#core/prompt/file-rank.ts";
import type { RepositoryView, ReviewJob } from "#ports/reviewer.ts";
import { isPathOfRepository, readText } from "#reviewers/model/repository-text.ts";

/** Reading a file costs a call to git, so a search looks at no more than this. */
const filesMax = 300;
const hitsMax = 60;
const hitCharactersMax = 200;
const textCharactersMax = 200;

interface Searched {
  readonly job: ReviewJob;
  readonly repository: RepositoryView;
}

/** Files with that text in them, line by line. What was not searched is said. */
export async function searchRepository(
  { job, repository }: Searched,
  { text, folder }: { readonly text: string; readonly folder: string },
): Promise<string> {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" || wanted.length > textCharactersMax || wanted.includes("\n")) return "Search for one short text.";
  const below = folder.replace(/^\.?\/+|\/+$/g, "");
  const listed = below === "" || isPathOfRepository(below) ? await repository.listFiles(below) : null;
  if (listed === null) return "There is no such folder.";
  const paths = listed.paths.filter((path) => rankOf(path) !== "generated");
  const hits: string[] = [];
  for (const path of paths.slice(0, filesMax)) {
    if (hits.length >= hitsMax || job.signal.aborted) break;
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
    .flatMap((line, index) =>
      line.toLowerCase().includes(wanted) ? [`${path}:${index + 1}: ${line.trim().slice(0, hitCharactersMax)}`] : [],
    );
}
