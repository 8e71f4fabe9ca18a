import { open } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { type ChangeSelection, type SelectedChange, selectChange } from "#app/review/select-change.ts";
import { StartError } from "#app/start-error.ts";
import { codeOrText } from "#core/error-code.ts";
import { HeadSha } from "#core/model/ids.ts";
import { counted } from "#core/words/counted.ts";
import { findCommit, type OpenCheckoutOptions, withCheckout } from "#git/checkout.ts";
import { type LeftOut } from "#git/checkout-snapshot.ts";
import { viewTrees } from "#git/checkout-view.ts";
import { diffArguments } from "#git/real-diff.ts";
import { mustRun } from "#git/run-git.ts";
import { GitError } from "#ports/git.ts";
import { type ReviewJob } from "#ports/reviewer.ts";

export type ChangeSource = ChangeSelection | { readonly kind: "diff"; readonly file: string };

export interface LocalChange extends Pick<ReviewJob, "diff" | "head" | "baseBranch" | "readFile" | "repository"> {
  readonly words: string;
  /** Null for a side that is no commit. */
  readonly commits: { readonly base: string | null; readonly head: string | null };
  readonly leftOut: LeftOut;
  /** As the base has it now, which may be later than where the change began. */
  readonly readBaseFile: (path: string) => Promise<Uint8Array | null>;
}

export const localDiffBytesMax = 64 * 1024 * 1024;

/** Files of the checkout can be read only during the task. */
export async function withLocalChange<Result>(
  source: ChangeSource,
  options: OpenCheckoutOptions & { readonly tell: (words: string) => void },
  work: (change: LocalChange) => Promise<Result>,
): Promise<Result> {
  if (source.kind === "diff") return await work(await changeInFile(source.file, options.cwd));
  try {
    const outcome = await withCheckout(options, async (checkout) => {
      options.tell("asking git for the change");
      const picked = await selectChange(checkout, source);
      const { stdout, isCut } = await mustRun(checkout.git, {
        args: [...diffArguments, picked.old.tree, picked.new.tree, "--"],
        stdoutBytesMax: localDiffBytesMax,
        mayCut: true,
      });
      if (isCut) throw tooLarge(picked);
      const commit = picked.new.commit ?? (await findCommit(checkout, "HEAD")) ?? null;
      const trees = {
        old: picked.old.tree,
        new: picked.new.tree,
        base: picked.baseTree ?? picked.old.tree,
        commit: commit === null ? null : HeadSha.parse(commit),
      };
      const view = viewTrees(checkout, trees, options.signal);
      return await work({ ...toChange(picked), diff: new Uint8Array(stdout), ...view });
    });
    if (outcome.kind === "done") return outcome.result;
    throw new StartError(
      `${options.cwd} is in no git checkout that can be read (${outcome.why}). Go into one, or review a diff: --diff FILE (- for standard input).`,
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new StartError(`git could not determine the change: ${error.message}`, { cause: error });
  }
}

function toChange(picked: SelectedChange): Omit<LocalChange, "diff" | "readFile" | "readBaseFile"> {
  return {
    words: picked.words,
    // What is not committed has no commit, but its tree identifies it.
    head: HeadSha.parse(picked.new.commit ?? picked.new.tree),
    baseBranch: picked.baseBranch,
    commits: { base: picked.old.commit, head: picked.new.commit },
    leftOut: picked.leftOut,
  };
}

function tooLarge({ words }: SelectedChange): StartError {
  return new StartError(
    `the change (${words}) is larger than ${localDiffBytesMax} bytes. Review it in parts: --staged, or --range A..B.`,
  );
}

/** A checkout around a diff may not match it, so no files are read. */
async function changeInFile(file: string, cwd: string): Promise<LocalChange> {
  const diff = await readDiffFile(file === "-" ? file : resolve(cwd, file), localDiffBytesMax);
  return {
    words: file === "-" ? "the diff from standard input" : `the diff in ${file}`,
    head: HeadSha.parse("0".repeat(40)),
    baseBranch: "diff",
    commits: { base: null, head: null },
    leftOut: [],
    diff,
    readFile: async () => null,
    readBaseFile: async () => null,
  };
}

async function readDiffFile(path: string, bytesMax: number): Promise<Uint8Array> {
  if (path === "-") return await gather(process.stdin, { name: "standard input", bytesMax });
  try {
    const file = await open(path, "r");
    try {
      return await gather(file.createReadStream({ autoClose: false }), { name: path, bytesMax });
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`the diff ${path} cannot be read (${codeOrText(error)}).`, { cause: error });
  }
}

async function gather(
  stream: AsyncIterable<Uint8Array | string>,
  { name, bytesMax }: { readonly name: string; readonly bytesMax: number },
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > bytesMax) {
      throw new StartError(
        `the diff from ${name} is longer than ${counted(bytesMax, "byte", "bytes")}. Review it in parts.`,
      );
    }
    chunks.push(part);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
