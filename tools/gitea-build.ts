import { appendFile, chmod, cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { errorText } from "#core/error-text.ts";
import { findGitea, type GiteaBuild, giteaFolder, giteaInstall } from "#real-gitea/gitea-builds.ts";
import { runProgram } from "./run-program.ts";

/** What the oldest Go that builds all of them is. */
const goNeeded = "1.26";
/** Between two lines that say how far it is. */
const progressMs = 15_000;
/** Of what Go says when something is wrong. */
const wordsMax = 4_000;

export type BuildEnd =
  | { readonly kind: "built"; readonly seconds: number }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Makes a server of Gitea's published module: Go fetches it, checks it and builds it. What is read at run time is copied
 * beside the program. The folder appears whole or not at all: two runs at once do the work twice, and one of them wins.
 */
export async function buildGitea(build: GiteaBuild, say: (line: string) => void): Promise<BuildEnd> {
  const startedAt = performance.now();
  const draft = join(giteaFolder(), `.${build.version}.${process.pid}`);
  try {
    const source = join(draft, "source");
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await cp(await fetchModule(build), source, { recursive: true });
    await makeWritable(source);
    await takeDetours(build, source);
    await compile(build, { source, draft }, say);
    for (const part of ["templates", "options", "public", "LICENSE"])
      await rename(join(source, part), join(draft, part));
    await rm(source, { recursive: true, force: true });
    await moveInto(draft, build);
    return { kind: "built", seconds: Math.round((performance.now() - startedAt) / 1000) };
  } catch (error) {
    return { kind: "failed", why: errorText(error) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Says what is missing on this machine for building, or nothing. */
export async function buildProblem(): Promise<string | undefined> {
  const needs = `Gitea is built from source, which needs Go ${goNeeded} or newer and a C compiler`;
  const go = await runProgram({ program: "go", args: ["version"] });
  if (go.code !== 0) return `${needs}: there is no Go here (https://go.dev/dl).`;
  const found = /go(\d+)\.(\d+)/.exec(go.stdout);
  const [major = 0, minor = 0] = found?.slice(1).map(Number) ?? [];
  const [neededMajor = 0, neededMinor = 0] = goNeeded.split(".").map(Number);
  const isOld = major < neededMajor || (major === neededMajor && minor < neededMinor);
  // An older Go fetches the one that a module asks for, unless it was told not to.
  const toolchain = await runProgram({ program: "go", args: ["env", "GOTOOLCHAIN"] });
  if (isOld && toolchain.stdout.trim() === "local") return `${needs}: this is ${go.stdout.trim()}.`;
  const compiler = (await runProgram({ program: "go", args: ["env", "CC"] })).stdout.trim();
  const hasCompiler = (await runProgram({ program: compiler, args: ["--version"] })).code === 0;
  return hasCompiler ? undefined : `${needs}: ${compiler} is not here.`;
}

const Downloaded = z.object({
  Dir: z.string().optional(),
  Sum: z.string().optional(),
  Error: z.string().optional(),
});

/** Go compares it with its checksum database where that can be reached; we compare it with ours in any case. */
async function fetchModule({ version, sum }: GiteaBuild): Promise<string> {
  const module = `code.gitea.io/gitea@v${version}`;
  // Outside of any module: in ours, the version of Go would be taken from a go.mod that is not there.
  const end = await runProgram({ program: "go", args: ["mod", "download", "-json", module], cwd: giteaFolder() });
  const told = Downloaded.safeParse(parseJson(end.stdout));
  if (!told.success || told.data.Dir === undefined) {
    throw new Error(`${module} could not be fetched: ${told.data?.Error ?? (end.stderr || end.stdout)}`);
  }
  if (told.data.Sum !== sum) throw new Error(`${module} is ${told.data.Sum}, and should be ${sum}`);
  return told.data.Dir;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The module is built as the main one, since its go.mod replaces others, and may have another name than its path. */
async function compile(build: GiteaBuild, { source, draft }: Places, say: (line: string) => void): Promise<void> {
  const { version, tags } = build;
  const common = ["-mod=readonly", "-trimpath", "-tags", tags.join(",")];
  const env = { CGO_ENABLED: "1", GOWORK: "off" };
  const listed = await runProgram({ program: "go", args: ["list", ...common, "-deps", "."], cwd: source, env });
  if (listed.code !== 0) throw new Error(`Gitea ${version} could not be read: ${listed.stderr.slice(-wordsMax)}`);
  const total = listed.stdout.trim().split("\n").length;
  let built = 0;
  let saidAt = 0;
  const end = await runProgram({
    program: "go",
    args: ["build", ...common, "-v", "-ldflags", `-s -w -X main.Version=${version}`, "-o", join(draft, "gitea"), "."],
    cwd: source,
    env,
    onLine: () => {
      built += 1;
      if (performance.now() - saidAt < progressMs) return;
      saidAt = performance.now();
      say(`Gitea ${version}: ${built} of at most ${total} packages are built.`);
    },
  });
  if (end.code !== 0) throw new Error(`Gitea ${version} could not be built: ${end.stderr.slice(-wordsMax)}`);
}

interface Places {
  readonly source: string;
  readonly draft: string;
}

/** Where a proxy does not have what the module asks for: see `GiteaBuild`. */
async function takeDetours({ renamed, left }: GiteaBuild, source: string): Promise<void> {
  for (const file of left) await rm(join(source, file));
  for (const { module, version, olderName, sum, goModSum } of renamed) {
    await appendFile(join(source, "go.mod"), `\nreplace ${module} ${version} => ${olderName} ${version}\n`);
    const lines = [`${olderName} ${version} ${sum}`, `${olderName} ${version}/go.mod ${goModSum}`];
    await appendFile(join(source, "go.sum"), `${lines.join("\n")}\n`);
  }
}

/** What Go keeps is not to be written to, and a copy is like it: nobody but root could remove it again. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(path);
    else await chmod(path, 0o644);
  }
}

async function moveInto(draft: string, build: GiteaBuild): Promise<void> {
  try {
    await rename(draft, giteaInstall(build).assets);
  } catch (error) {
    // Somebody else was quicker, and theirs is as good.
    if (findGitea(build) === undefined) throw error;
  }
}
