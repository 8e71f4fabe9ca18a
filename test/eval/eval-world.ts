import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EvalCall, evaluate } from "#cli/eval.ts";
import { UsageError } from "#cli/terminal.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";

/** `drover eval` as somebody at a terminal would see it; how long it took is always the same. */

export const ownSet = join(import.meta.dirname, "../../eval");

const noCall: EvalCall = { set: ownSet, repeat: "1", jobs: "4", colour: true, color: true };

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CallOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function evalWith(call: Partial<EvalCall>, options: CallOptions = {}): Promise<Called> {
  const { files = {}, env = {}, signal = new AbortController().signal } = options;
  const { terminal, said } = heardTerminal({
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error(`no file ${path}`), { code: "ENOENT" });
      return text;
    },
    env,
  });
  const place = { cwd: import.meta.dirname, isErrShown: false, signal, now: () => 0 };
  try {
    return { code: await evaluate({ ...noCall, ...call }, terminal, place), ...said };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: 2, out: said.out, err: error.message };
  }
}

/** A folder of one's own for as long as the work takes. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "drover-eval-world-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
