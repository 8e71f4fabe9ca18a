import type { SessionRecord } from "#core/model/records.ts";
import type { Agent, SessionJob, SessionOutcome } from "#ports/agent.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Mirror } from "#ports/git.ts";
import type { MemoryFolder } from "#testing/memory-git/memory-folder.ts";
import { type JobWorld, openJobWorld, type WorldOptions } from "./job-world.ts";

export interface ScriptedAgent extends Agent {
  readonly jobs: SessionJob[];
}

export type Work = (folder: MemoryFolder, job: SessionJob) => Promise<SessionOutcome>;

const fixing = { fix: { onFeedback: true, quietMs: 0 } } as const;

/** A world in which an agent works on folders in memory. It needs the world for that, so it comes after it. */
export async function withAgent(
  work: Work,
  options: WorldOptions = {},
): Promise<{ readonly world: JobWorld; readonly agent: ScriptedAgent }> {
  const jobs: SessionJob[] = [];
  let found: JobWorld["memoryGit"] = null;
  const agent: ScriptedAgent = {
    jobs,
    run: async (job) => {
      jobs.push(job);
      const folder = found?.findFolder(job.workspace);
      if (folder === undefined) throw new Error("there is no such folder");
      return await work(folder, job);
    },
  };
  const world = await openJobWorld({ rules: fixing, ...options, dependencies: { agent, ...options.dependencies } });
  found = world.memoryGit;
  await world.tick();
  return { world, agent };
}

export function isReview(id: string): boolean {
  return id.startsWith("review:");
}

/** Changes the file and says that everything is done. */
export const obedient: Work = async (folder, { feedback }) => {
  folder.write("src/app.js", "walk();\n");
  const addressed = feedback.map(({ id }) => id);
  return { kind: "changed", summary: "Walks now.", addressed, notAddressed: [], costMicroUsd: 7 };
};

export const boastful: Work = async () => ({
  kind: "changed",
  summary: "All done.",
  addressed: [],
  notAddressed: [],
  costMicroUsd: 0,
});

/** Rita asks for a change on the first line, formally. */
export async function requestChanges(world: JobWorld): Promise<void> {
  await world.as("rita").review(world.pull, {
    event: "request_changes",
    body: "Not like this.",
    remarks: [{ path: "src/app.js", side: "new", lines: { first: 1, last: 1 }, body: "Walk instead." }],
  });
  await world.tick();
}

export async function lastSession(world: JobWorld): Promise<SessionRecord> {
  const session = (await world.records()).sessions.at(-1);
  if (session === undefined) throw new Error("there is no session");
  return session;
}

/** As the forge tells it: what was pushed behind its back it knows from a call on. */
export async function headOf(world: JobWorld): Promise<string> {
  return (await world.dependencies.forge.fetchPull(world.pull)).pull.head.sha;
}

export function reports(world: JobWorld): readonly string[] {
  return world.said().filter((body) => body.includes("Pushed `"));
}

/** The same git with one call of every mirror replaced. */
export function meddled(dependencies: Dependencies, over: (mirror: Mirror) => Partial<Mirror>): Dependencies {
  const { git } = dependencies;
  return {
    ...dependencies,
    git: {
      ...git,
      findMirror: async (key) => {
        const mirror = await git.findMirror(key);
        return mirror && { ...mirror, ...over(mirror) };
      },
    },
  };
}
