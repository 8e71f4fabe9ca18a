import { spawn } from "node:child_process";
import { once } from "node:events";
import { HeadSha } from "#core/model/ids.ts";
import type { HostChanges } from "#ports/git-host.ts";

/** A clone of one repository, with which people commit and push by plain git. */
export interface GitClone {
  /** A commit with these changes on top of another, or of nothing. */
  commit(made: {
    readonly parent: HeadSha | null;
    readonly changes: HostChanges;
    readonly message: string;
    readonly by: string;
  }): Promise<HeadSha>;
  /** What the server has. */
  fetchBranches(url: string): Promise<void>;
  push(request: {
    readonly url: string;
    readonly branch: string;
    readonly commit: HeadSha;
    readonly isForced: boolean;
  }): Promise<void>;
  /** The same change on top of another commit, as a rebase does it. */
  rebase(request: { readonly head: HeadSha; readonly onto: HeadSha; readonly by: string }): Promise<HeadSha>;
  /** Whether git can merge them without asking anybody. */
  isMergeable(one: HeadSha, other: HeadSha): Promise<boolean>;
}

export async function openClone(folder: string): Promise<GitClone> {
  const git = (args: readonly string[], input?: string) =>
    runGit({ folder, args, ...(input === undefined ? {} : { input }) });
  await runGit({ folder: null, args: ["init", "--quiet", "--bare", folder] });
  const asked = async (args: readonly string[], input?: string): Promise<string> =>
    (await git(args, input)).stdout.trim();
  return {
    commit: async (made) => HeadSha.parse(await asked(["fast-import", "--quiet", "--force"], streamOf(made))),
    fetchBranches: async (url) => {
      await git(["fetch", "--quiet", url, "+refs/heads/*:refs/heads/*"]);
    },
    push: async ({ url, branch, commit, isForced }) => {
      await git(["push", "--quiet", url, `${isForced ? "+" : ""}${commit}:refs/heads/${branch}`]);
    },
    rebase: async ({ head, onto, by }) => {
      const tree = await asked(["merge-tree", "--write-tree", onto, head]);
      const who = ["-c", `user.name=${by}`, "-c", `user.email=${by}@example.invalid`];
      return HeadSha.parse(await asked([...who, "commit-tree", tree, "-p", onto, "-m", "Rebased"]));
    },
    isMergeable: async (one, other) =>
      (await runGit({ folder, args: ["merge-tree", "--write-tree", one, other], codesAllowed: [0, 1] })).code === 0,
  };
}

/** What `git fast-import` reads. Its last line asks for the commit's name. */
function streamOf(made: Parameters<GitClone["commit"]>[0]): string {
  const { parent, changes, message, by } = made;
  const seconds = Math.floor(Date.now() / 1000);
  const files = Object.entries(changes).map(([path, content]) =>
    content === null ? `D ${path}\n` : `M 100644 inline ${path}\n${dataOf(content)}`,
  );
  return [
    "commit refs/drover/new\n",
    "mark :1\n",
    `committer ${by} <${by}@example.invalid> ${seconds} +0000\n`,
    dataOf(message),
    // Without a parent, one that an earlier commit left under this name would be taken.
    parent === null ? "" : `from ${parent}\n`,
    ...files,
    "\nget-mark :1\n",
    "reset refs/drover/new\n\n",
  ].join("");
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

interface GitEnd {
  readonly code: number;
  readonly stdout: string;
}

async function runGit(options: {
  readonly folder: string | null;
  readonly args: readonly string[];
  readonly input?: string;
  readonly codesAllowed?: readonly number[];
}): Promise<GitEnd> {
  const { folder, args, input = "", codesAllowed = [0] } = options;
  const child = spawn("git", [...(folder === null ? [] : ["--git-dir", folder]), ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder ?? "/",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
    },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, "close");
  if (!codesAllowed.includes(Number(code))) throw new Error(`git ${args.join(" ")} failed: ${said.stderr}`);
  return { code: Number(code), stdout: said.stdout };
}
