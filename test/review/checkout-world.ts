import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type ReviewCall, review } from "#cli/review.ts";
import { UsageError } from "#cli/terminal.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";

/** Checkouts made by the real git in a folder of their own, and `drover review` called in them. */
export interface CheckoutWorld {
  readonly folder: string;
  /** A repository with one commit, unless told that there is none. */
  makeCheckout(name: string, options?: CheckoutOptions): Promise<TestCheckout>;
  close(): Promise<void>;
}

export interface CheckoutOptions {
  readonly isEmpty?: boolean;
  readonly format?: "sha1" | "sha256";
}

export interface TestCheckout {
  readonly folder: string;
  git(...args: readonly string[]): Promise<string>;
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  link(path: string, target: string): Promise<void>;
  makeExecutable(path: string): Promise<void>;
  commit(files: Readonly<Record<string, string | Uint8Array>>, message?: string): Promise<void>;
  review(call?: Partial<ReviewCall>, options?: CallOptions): Promise<Called>;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly hasColours?: boolean;
  readonly signal?: AbortSignal;
  /** The way to models. */
  readonly fetch?: typeof fetch;
  /** Somebody who looks at what is said on the way, as on a terminal. */
  readonly onErr?: (text: string) => void;
}

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Something that blocks, something that is a problem, and something that nobody objects to. */
export const blocking = "export function shout() {\n  debugger;\n}\n";
export const problem = "try {\n  save();\n} catch (error) {}\n";
export const harmless = "export const quiet = 1;\n";

const run = promisify(execFile);

export async function openCheckoutWorld(): Promise<CheckoutWorld> {
  const folder = await mkdtemp(join(tmpdir(), "drover-review-world-"));
  await mkdir(join(folder, "home"));
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_AUTHOR_DATE: "2026-01-05T09:00:00Z",
    GIT_COMMITTER_DATE: "2026-01-05T09:00:00Z",
  };
  return {
    folder,
    makeCheckout: async (name, { isEmpty = false, format = "sha1" } = {}) => {
      const place = join(folder, name);
      await run("git", ["init", "--quiet", "--initial-branch=main", `--object-format=${format}`, place], {
        env: environment,
      });
      const checkout = checkoutAt(place, environment);
      if (!isEmpty) await checkout.commit({ "README.md": "# Tools\n", "src/old.ts": harmless });
      return checkout;
    },
    close: async () => await rm(folder, { recursive: true, force: true }),
  };
}

function checkoutAt(folder: string, env: Readonly<Record<string, string>>): TestCheckout {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run("git", ["-c", "protocol.file.allow=always", ...args], { cwd: folder, env })).stdout.trim();
  const write: TestCheckout["write"] = async (files) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  return {
    folder,
    git,
    write,
    link: async (path, target) => await symlink(target, join(folder, path)),
    makeExecutable: async (path) => await chmod(join(folder, path), 0o755),
    commit: async (files, message = "Change it") => {
      await write(files);
      await git("add", "--all");
      await git("commit", "--quiet", "--message", message);
    },
    review: async (call = {}, options = {}) => await reviewIn(options.cwd ?? folder, call, { env, ...options }),
  };
}

const noCall: ReviewCall = { format: "text", failOn: "blocking", colour: true, color: true };

/** As somebody at a terminal would see it; how long it took is always the same. */
export async function reviewIn(
  cwd: string,
  call: Partial<ReviewCall>,
  { env = {}, files = {}, hasColours = false, signal = new AbortController().signal, fetch, onErr }: CallOptions,
): Promise<Called> {
  const { terminal: heard, said } = heardTerminal({
    readFile: async (path) => files[path] ?? "",
    fetch,
    hasColours,
    searchPath: process.env["PATH"] ?? "",
    env,
  });
  const err = (text: string): void => {
    heard.err(text);
    onErr?.(text);
  };
  const terminal = { ...heard, err };
  const place = { cwd, isErrShown: onErr !== undefined, signal, now: () => 0 };
  try {
    const code = await review({ ...noCall, ...call }, terminal, place);
    return { code, ...said };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: 2, out: said.out, err: error.message };
  }
}
