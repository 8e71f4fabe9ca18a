import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

export type Loaded =
  | { readonly kind: "loaded"; readonly call: (...given: readonly unknown[]) => Promise<unknown> }
  | { readonly kind: "failed"; readonly why: string };

/** Bundles a TypeScript module of the project and answers with one of its exported functions. Packages stay outside. */
export async function loadBundled(options: { readonly path: string; readonly name: string }): Promise<Loaded> {
  const { path, name } = options;
  if (!existsSync(path)) {
    return { kind: "failed", why: `${path} does not exist.` };
  }
  const target = join(process.cwd(), "node_modules/.cache/drover", path.replaceAll("/", "-").replace(/\.ts$/, ".mjs"));
  try {
    await bundle(path, target);
    const module: unknown = await import(pathToFileURL(target).href);
    const found: unknown = typeof module === "object" && module !== null ? Reflect.get(module, name) : undefined;
    return isFunction(found)
      ? { kind: "loaded", call: async (...given) => await found(...given) }
      : { kind: "failed", why: `${path} exports no function ${name}.` };
  } catch (error) {
    return {
      kind: "failed",
      why: `${path} could not be loaded: ${error instanceof Error ? error.stack : String(error)}`,
    };
  }
}

/** Written beside and renamed: another run may be loading the file at this moment. */
async function bundle(path: string, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await build({
    entryPoints: [path],
    outfile: draft,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    sourcemap: "inline",
    logLevel: "silent",
  });
  await stop();
  await rename(draft, target);
}

function isFunction(value: unknown): value is (...given: readonly unknown[]) => unknown {
  return typeof value === "function";
}
