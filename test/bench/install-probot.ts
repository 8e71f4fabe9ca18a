import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { errorText } from "#core/error-text.ts";

/** The newest of Probot 14 that runs on Node 20. Others give other figures. */
export const probotVersion = "14.3.2";

export type InstalledProbot =
  | { readonly kind: "installed"; readonly entry: string }
  | { readonly kind: "failed"; readonly why: string };

/** Probot is nothing that Drover depends on, so it has a folder of its own, into which npm puts it when it is asked for. */
export async function installProbot(): Promise<InstalledProbot> {
  const folder = join(process.cwd(), "node_modules/.cache/drover/bench", `probot-${probotVersion}`);
  const entry = join(folder, "node_modules/probot/lib/index.js");
  if (existsSync(join(folder, doneFile))) return { kind: "installed", entry };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--save-exact", `probot@${probotVersion}`, "--ignore-scripts", "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", args, { cwd: folder, timeout: installMsMax });
    await writeFile(join(folder, doneFile), probotVersion);
    return { kind: "installed", entry };
  } catch (error) {
    return { kind: "failed", why: errorText(error) };
  }
}

/** Written last: what npm did not finish is installed again. */
const doneFile = "installed";
const installMsMax = 10 * 60_000;
