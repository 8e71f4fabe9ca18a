import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BuildResult, build, formatMessages, type Plugin } from "esbuild";
import * as z from "zod";
import { errorText } from "#core/error-text.ts";

const ENTRY = "src/cli/drover.ts";
const OUTPUT = "dist/drover.js";
/** What a command needs is loaded when it is called: help does not wait for the code of the server. */
const CHUNKS = "dist/chunks";
const STAMP = "node_modules/.cache/drover/build.json";
/** What shapes the bundle without being part of it. */
const SHAPERS = ["package.json", "package-lock.json", "tsconfig.json", "tools/bundle-drover.ts"];
const globalNamespace = "global";
const executableMode = 0o755;
const staleMs = 60_000;
/** Some packages are CommonJS and ask for Node's modules, which a bundle of ES modules has no word for. */
const requireShim =
  'import { createRequire as droverCreateRequire } from "node:module"; const require = droverCreateRequire(import.meta.url);';

export type BundleOutcome =
  | { readonly kind: "built"; readonly path: string; readonly bytes: number }
  | { readonly kind: "up_to_date"; readonly path: string }
  | { readonly kind: "failed"; readonly why: string };

export interface BundleOptions {
  readonly root: string;
  /** `if_needed` builds nothing if neither the inputs nor the bundle changed since the last build. */
  readonly when: "always" | "if_needed";
}

/** Bundles the command line, packages included, into a folder that runs alone. The same tree gives the same bytes. */
export async function bundleDrover(options: BundleOptions): Promise<BundleOutcome> {
  const { root } = options;
  if (!existsSync(join(root, ENTRY))) {
    return { kind: "failed", why: `${ENTRY} does not exist: there is nothing to build yet.` };
  }
  if (options.when === "if_needed" && (await isUpToDate(root))) {
    return { kind: "up_to_date", path: OUTPUT };
  }
  try {
    return await bundle(root);
  } catch (error) {
    return { kind: "failed", why: await explain(error) };
  }
}

const Stamp = z.object({ files: z.array(z.string()), fingerprint: z.string() });

async function isUpToDate(root: string): Promise<boolean> {
  try {
    const stamp = Stamp.parse(JSON.parse(await readFile(join(root, STAMP), "utf8")));
    return stamp.fingerprint === (await fingerprint(root, stamp.files));
  } catch {
    // No stamp, an unreadable one, or a file that is gone: building is always right.
    return false;
  }
}

async function bundle(root: string): Promise<BundleOutcome> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outdir: "dist",
    entryNames: "[name]",
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "linked",
    // The embedded database reads files that lie beside its code; the driver is CommonJS and asks for Node's modules.
    external: ["@electric-sql/pglite", "pg"],
    banner: { js: requireShim },
    plugins: [globalProcess],
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  // The entry comes last: it names chunks that must be there.
  const isChunk = (path: string): boolean => dirname(path) === join(root, CHUNKS);
  const written = result.outputFiles.toSorted(
    (left, right) => Number(isChunk(right.path)) - Number(isChunk(left.path)),
  );
  for (const file of written) await put(file.path, file.contents);
  await removeStaleChunks(root, new Set(written.map(({ path }) => path)));
  const code = written.filter(({ path }) => path.endsWith(".js"));
  const bytes = code.reduce((sum, { contents }) => sum + contents.byteLength, 0);
  const inputs = Object.keys(result.metafile.inputs).filter((path) => !path.startsWith(`${globalNamespace}:`));
  const files = [...inputs, ...Object.keys(result.metafile.outputs), ...SHAPERS].sort();
  const stamp = { files, fingerprint: await fingerprint(root, files) };
  await put(join(root, STAMP), Buffer.from(JSON.stringify(stamp)));
  return { kind: "built", path: OUTPUT, bytes };
}

/** An import of `node:process` opens standard input and standard error. Help needs neither, and the global is the same object. */
const globalProcess: Plugin = {
  name: "global-process",
  setup: (bundling) => {
    bundling.onResolve({ filter: /^(?:node:)?process$/ }, () => ({ path: "process", namespace: globalNamespace }));
    bundling.onLoad({ filter: /./, namespace: globalNamespace }, () => ({ contents: "module.exports = process;" }));
  },
};

/** Written beside and renamed, so that a run that starts at this moment sees the old file or the new one, never half. */
async function put(path: string, contents: Uint8Array): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, contents);
  if (path.endsWith(OUTPUT)) {
    await chmod(draft, executableMode);
  }
  await rename(draft, path);
}

/** What this build has not written goes, but for what a program that started a moment ago may still have to load. */
async function removeStaleChunks(root: string, written: ReadonlySet<string>): Promise<void> {
  const names = await readdir(join(root, CHUNKS)).catch(() => []);
  for (const path of names.map((name) => join(root, CHUNKS, name)).filter((one) => !written.has(one))) {
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - staleMs) await rm(path, { force: true });
  }
}

async function fingerprint(root: string, files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) {
    const contents = createHash("sha256").update(await readFile(join(root, file)));
    hash.update(`${file}\n${contents.digest("hex")}\n`);
  }
  return hash.digest("hex");
}

async function explain(error: unknown): Promise<string> {
  if (isBuildFailure(error)) {
    return (await formatMessages(error.errors, { kind: "error", terminalWidth: 120 })).join("");
  }
  return errorText(error);
}

function isBuildFailure(error: unknown): error is Pick<BuildResult, "errors"> {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}
