import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { startPgliteEngine } from "#database/embedded/pglite-engine.ts";
import { SyncedFiles } from "#database/embedded/synced-files.ts";
import { durableStart } from "#database/open-embedded.ts";
import manifest from "#package.json" with { type: "json" };

/** Making a database takes most of the time of the first start. It is always the same one, so one is kept between runs. */
const cache = "node_modules/.cache/drover";

export interface EmbeddedTemplate {
  /** For an engine in memory. */
  readonly tar: Blob;
}

export async function embeddedTemplate(): Promise<EmbeddedTemplate> {
  const folder = await ensureTemplate();
  return { tar: new Blob([await readFile(join(folder, tarName))]) };
}

/** A temporary folder in which `openEmbedded` finds a new database. */
export async function makeEmbeddedFolder(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  const template = await ensureTemplate();
  const folder = await mkdtemp(join(tmpdir(), "drover-embedded-"));
  await cp(join(template, engineName), join(folder, engineName), { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

const tarName = "template.tar";
const engineName = "engine";

async function ensureTemplate(): Promise<string> {
  const folder = join(process.cwd(), cache, `pglite-${manifest.dependencies["@electric-sql/pglite"]}`);
  const isThere = await readFile(join(folder, "whole")).then(
    () => true,
    () => false,
  );
  if (!isThere) await makeTemplate(folder);
  return folder;
}

async function makeTemplate(folder: string): Promise<void> {
  await mkdir(join(process.cwd(), cache), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  const pglite = await PGlite.create();
  const tar = await pglite.dumpDataDir("none");
  await pglite.close();
  await writeFile(join(draft, tarName), new Uint8Array(await tar.arrayBuffer()));
  const files = new SyncedFiles(join(draft, engineName));
  const engine = await startPgliteEngine({ files, startParameters: durableStart, template: tar });
  await engine.close();
  await writeFile(join(draft, "whole"), "");
  // Somebody else may have been faster, and then theirs is as good.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
}
