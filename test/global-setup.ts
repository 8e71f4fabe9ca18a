import type { TestProject } from "vitest/node";
import { makeReleaseFolder } from "./action/release-folder.ts";
import { type Door, openDoor } from "./harness/door.ts";
import { findPostgresBinaries } from "./harness/postgres-binaries.ts";
import { startPostgresCluster } from "./harness/postgres-cluster.ts";
import { findGitea, giteaBuilds } from "./real-gitea/gitea-builds.ts";
import { startGiteaServer } from "./real-gitea/gitea-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the loopback on which this run tells the URL of its PostgreSQL; null where no server is installed. */
    readonly postgresDoor: number | null;
    /** The same for each version of Gitea that was built on this machine. */
    readonly giteaDoors: Readonly<Record<string, number>>;
    /** Where the path of the Action's file is told; it is built when the first test asks. */
    readonly actionDoor: number;
  }
}

/** One PostgreSQL, one Gitea of each version and one build of the Action for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await openPostgresDoor();
  project.provide("postgresDoor", postgres?.port ?? null);
  const giteas = await openGiteaDoors();
  project.provide("giteaDoors", Object.fromEntries(giteas.map(([version, { port }]) => [version, port])));
  const action = await openDoor(makeReleaseFolder);
  project.provide("actionDoor", action.port);
  return async () => {
    for (const door of [postgres, action, ...giteas.map(([, each]) => each)]) await door?.close();
  };
}

async function openPostgresDoor(): Promise<Door | undefined> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) return undefined;
  return await openDoor(async () => {
    const cluster = await startPostgresCluster(binaries);
    return { told: { url: cluster.url }, remove: () => cluster.remove() };
  });
}

async function openGiteaDoors(): Promise<readonly (readonly [string, Door])[]> {
  const doors: [string, Door][] = [];
  for (const build of giteaBuilds) {
    const install = findGitea(build);
    if (install === undefined) continue;
    const door = await openDoor(async () => {
      const server = await startGiteaServer(install);
      return { told: server.told, remove: () => server.remove() };
    });
    doors.push([build.version, door]);
  }
  return doors;
}
