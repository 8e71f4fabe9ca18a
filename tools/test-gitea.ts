import { join } from "node:path";
import { findGitea, type GiteaBuild, giteaProject, wholeSuiteVariable } from "#real-gitea/gitea-builds.ts";
import { runNode } from "./child.ts";
import { buildGitea, buildProblem } from "./gitea-build.ts";
import { GITEA_USAGE, type GiteaArguments, parseGiteaArguments } from "./test-gitea-arguments.ts";
import { gitFreeEnvironment } from "./work-tree.ts";

const parsed = parseGiteaArguments(process.argv.slice(2));
switch (parsed.kind) {
  case "help":
    console.log(GITEA_USAGE);
    break;
  case "wrong":
    console.error(`${parsed.message}\n${GITEA_USAGE}`);
    process.exitCode = 2;
    break;
  case "run":
    process.exitCode = await testGitea(parsed.arguments);
    break;
}

async function testGitea({ builds, isBuildOnly, filters }: GiteaArguments): Promise<number> {
  if (!(await areBuilt(builds))) return 1;
  if (isBuildOnly) return 0;
  const projects = builds.map(({ version }) => `--project=${giteaProject(version)}`);
  const { code } = await runNode({
    script: join(process.cwd(), "node_modules/vitest/vitest.mjs"),
    args: ["run", "--allowOnly=false", "--update=none", ...projects, ...filters],
    output: "stdout",
    env: { ...gitFreeEnvironment(), [wholeSuiteVariable]: "1" },
  });
  return code;
}

/** One after the other: they share most packages, which Go then has at hand. */
async function areBuilt(builds: readonly GiteaBuild[]): Promise<boolean> {
  for (const build of builds) {
    if (findGitea(build) !== undefined) continue;
    const problem = await buildProblem();
    if (problem !== undefined) {
      console.error(problem);
      return false;
    }
    console.log(`Gitea ${build.version}: building it, once.`);
    const end = await buildGitea(build, (line) => console.log(line));
    if (end.kind === "failed") {
      console.error(end.why);
      return false;
    }
    console.log(`Gitea ${build.version}: built in ${end.seconds} s.`);
  }
  return true;
}
