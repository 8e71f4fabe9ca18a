import { mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "#core/error-code.ts";

export type DemoFolder =
  | { readonly kind: "ready"; readonly folder: string }
  | { readonly kind: "unfit"; readonly folder: string; readonly why: string };

/** The folder has to be empty, so that the demo overwrites no file. */
export async function prepareDemoFolder(asked: string | undefined): Promise<DemoFolder> {
  if (asked === undefined) {
    return { kind: "ready", folder: await mkdtemp(join(await realpath(tmpdir()), "drover-demo-")) };
  }
  try {
    await mkdir(asked, { recursive: true });
    const folder = await realpath(asked);
    const isEmpty = (await readdir(folder)).length === 0;
    return isEmpty ? { kind: "ready", folder } : { kind: "unfit", folder, why: "is not empty" };
  } catch (error) {
    const why = codeOf(error) ?? "for an unknown reason";
    return { kind: "unfit", folder: asked, why: `cannot be used (${why})` };
  }
}
