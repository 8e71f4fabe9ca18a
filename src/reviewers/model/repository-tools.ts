import { z } from "zod";
import { errorText } from "#core/error-text.ts";
import { formatInstant } from "#core/model/instant.ts";
import { rankOf } from "#core/prompt/file-rank.ts";
import { restoreHandles } from "#core/prompt/handles.ts";
import { sanitise } from "#core/prompt/sanitise.ts";
import { maskLoneKeyLine } from "#core/secrets/mask-private-keys.ts";
import { maskSecretsInLines } from "#core/secrets/mask-secret-formats.ts";
import { counted } from "#core/words/counted.ts";
import { passWords } from "#core/words/pass-words.ts";
import type { ChangeView, RepositoryView, SearchHits, SearchRequest } from "#ports/change-view.ts";
import type { ModelTool } from "#ports/model.ts";
import { isPathOfRepository, readRepositoryText } from "#reviewers/model/repository-text.ts";

const notOneText = "Search for one short text.";
const noFolder = "There is no such folder.";
const alsoInMax = 20;

/** A reader who wants more asks for other lines or another folder. */
const linesMax = 400;
const charactersMax = 24_000;
const pathsMax = 300;
const entriesMax = 20;

/** The first failure of the repository: it ends the review, not only a tool. */
export interface ToolTrouble {
  why: string | null;
}

/** A model can only look, at the head and files of the merge base. Without a view it only reads files by name. */
export function repositoryTools(view: ChangeView, trouble: ToolTrouble): readonly ModelTool[] {
  const { repository } = view;
  const reading = makeTool(trouble, {
    name: "read_file",
    words: "Lines of a file, after the change or before it",
    input: ReadInput,
    run: (input) => readLines(view, input),
  });
  if (repository === undefined) return [reading];
  return [
    reading,
    makeTool(trouble, {
      name: "search",
      words: "Lines that hold a text, ignoring case",
      input: SearchInput,
      run: (input, signal) => searchRepository({ view, repository, signal }, input),
    }),
    makeTool(trouble, {
      name: "list_files",
      words: "Paths below a folder",
      input: FolderInput,
      run: (input) => listPaths(repository, input),
    }),
    makeTool(trouble, {
      name: "history",
      words: "Last commits of a path",
      input: PathInput,
      run: (input) => historyOf(repository, input),
    }),
  ];
}

interface ToolSketch<Input> {
  readonly name: string;
  readonly words: string;
  readonly input: z.ZodType<Input>;
  readonly run: (input: Input, signal: AbortSignal) => Promise<string>;
}

function makeTool<Input>(trouble: ToolTrouble, { name, words, input, run }: ToolSketch<Input>): ModelTool {
  return {
    name,
    words,
    input,
    run: async (given, signal) => {
      const read = input.safeParse(asMeant(given));
      if (!read.success) return "These are not the arguments of this tool.";
      try {
        return bounded(await run(read.data, signal));
      } catch (error) {
        if (signal.aborted) return "Nobody waits for this any more.";
        trouble.why ??= passWords.repositoryUnreadable(errorText(error));
        return "The repository cannot be read now.";
      }
    },
  };
}

/** In prose it has read `@scope/name` with another sign, by which there is no file and no line. */
function asMeant(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const meant = Object.entries(given).map(([name, value]: readonly [string, unknown]) => {
    return [name, typeof value === "string" ? restoreHandles(value) : value] as const;
  });
  return Object.fromEntries(meant);
}

const ReadInput = z.object({ path: z.string(), from: z.number(), to: z.number(), before: z.boolean() });
const SearchInput = z.object({ text: z.string(), folder: z.string() });
const FolderInput = z.object({ folder: z.string() });
const PathInput = z.object({ path: z.string() });

async function readLines(view: ChangeView, { path, from, to, before }: z.infer<typeof ReadInput>): Promise<string> {
  const text = await readRepositoryText(view, { side: before ? "old" : "new", path });
  if (text === null) return "There is no such text file, or it is too large.";
  // As a whole: a part of a key does not look like one.
  const lines = maskSecretsInLines(text, path).split("\n");
  const first = Math.min(Math.max(1, Math.floor(from)), lines.length);
  const last = Math.min(Math.max(first, Math.floor(to)), lines.length, first + linesMax - 1);
  const shown = lines.slice(first - 1, last).join("\n");
  return `Lines ${first} to ${last} of ${lines.length}:\n${shown}`;
}

async function listPaths(
  repository: NonNullable<ChangeView["repository"]>,
  { folder }: z.infer<typeof FolderInput>,
): Promise<string> {
  const asked = folder.replace(/^\.?\/+|\/+$/g, "");
  const listed = asked === "" || isPathOfRepository(asked) ? await repository.listFiles(asked) : null;
  if (listed === null) return "There is no such folder.";
  const { paths, isCut } = listed;
  const rest = paths.length > pathsMax || isCut ? "\n(there are more: ask for a folder below)" : "";
  return `${paths.slice(0, pathsMax).join("\n")}${rest}`;
}

async function historyOf(
  repository: NonNullable<ChangeView["repository"]>,
  { path }: z.infer<typeof PathInput>,
): Promise<string> {
  const entries = isPathOfRepository(path) ? await repository.history(path) : [];
  if (entries.length === 0) return "There is no history of that path.";
  return entries
    .slice(0, entriesMax)
    .map(
      ({ commit, author, at, subject }) =>
        // Unlike what the other tools show, these are sentences of people.
        `${commit.slice(0, 10)} ${formatInstant(at).slice(0, 10)} ${sanitise(author)}: ${sanitise(subject)}`,
    )
    .join("\n");
}

function bounded(text: string): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}\n(cut here)` : text;
}

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

async function searchRepository(
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
