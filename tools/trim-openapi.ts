import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { routes } from "#github-like/rest/routes.ts";
import { trimDescription } from "./trim-description.ts";

/**
 * Makes test/github-like/openapi.json: of GitHub's own description of its REST API the part that the GitHub-like server
 * of the tests serves. The whole package has 385 MB, so it is no dependency: npm puts it into a folder of its own.
 */
const version = "23.0.2";
const target = "test/github-like/openapi.json";
const installMsMax = 10 * 60_000;

const folder = join(process.cwd(), "node_modules/.cache/drover/openapi");
const source = join(folder, "node_modules/@octokit/openapi/generated/api.github.com.json");
if (!existsSync(source)) await install();
const trimmed = trimDescription(JSON.parse(await readFile(source, "utf8")), { version, operations: routes });
for (const missing of trimmed.missing) console.error(`not described: ${missing}`);
await writeFile(target, JSON.stringify(trimmed.description));
// Laid out like every other file, so that the formatter has nothing to say about it.
await promisify(execFile)(process.execPath, ["node_modules/@biomejs/biome/bin/biome", "format", "--write", target]);
const { size } = await stat(target);
console.log(`${target}: ${routes.length} operations, ${Math.round(size / 1024)} kB`);

async function install(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  const args = [
    "install",
    "--save-exact",
    `@octokit/openapi@${version}`,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
  ];
  await promisify(execFile)("npm", args, { cwd: folder, timeout: installMsMax });
}
