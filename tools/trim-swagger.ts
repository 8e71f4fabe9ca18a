import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { routes } from "#gitea-like/rest/routes.ts";
import { type Swagger, trimSwagger } from "./trim-swagger-description.ts";

/**
 * Makes test/gitea-like/swagger-*.json: of Gitea's own description of its API the part that the Gitea-like server of the
 * tests serves, in the two versions that differ. The sources come as Go's tools fetch them.
 */
const versions = ["1.25.5", "1.27.3"] as const;

const Downloaded = z.object({ Dir: z.string() });
const run = promisify(execFile);

for (const version of versions) {
  const target = `test/gitea-like/swagger-${version.split(".").slice(0, 2).join(".")}.json`;
  const trimmed = trimSwagger(await readSwagger(version), { version, operations: routes });
  for (const { method, path } of routes) {
    if (trimmed.operations[`${method} ${path}`] === undefined)
      console.error(`${version} does not have ${method} ${path}`);
  }
  await writeFile(target, JSON.stringify(trimmed));
  // Laid out like every other file, so that the formatter has nothing to say about it.
  await run(process.execPath, ["node_modules/@biomejs/biome/bin/biome", "format", "--write", target]);
  console.log(`${target}: ${Math.round((await stat(target)).size / 1024)} kB`);
}

/** It is a template, with two words to fill in. */
async function readSwagger(version: string): Promise<Swagger> {
  const args = ["mod", "download", "-json", `code.gitea.io/gitea@v${version}`];
  const { stdout } = await run("go", args, { cwd: tmpdir() });
  const { Dir } = Downloaded.parse(JSON.parse(stdout));
  const template = await readFile(join(Dir, "templates/swagger/v1_json.tmpl"), "utf8");
  return JSON.parse(template.replaceAll(/\{\{[^}]*\}\}/g, ""));
}
