import type { Account } from "#core/model/account.ts";
import type { HeadSha, ThreadId } from "#core/model/ids.ts";
import { after, instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { ReviewQueueData, SessionJobData, TalkJobData } from "#core/model/job.ts";
import type { Records } from "#core/model/records.ts";
import type { Sandbox, SandboxFaultSource, SandboxManner, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { someDependencies } from "#harness/some-dependencies.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { JobContext, JobOutcome } from "#jobs/job-context.ts";
import { runReviewJob } from "#jobs/run-review-job.ts";
import { runSessionJob } from "#jobs/run-session-job.ts";
import { createObserver } from "#observe/observe.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Git } from "#ports/git.ts";
import type { GitHost, HostChanges } from "#ports/git-host.ts";
import { type PullRef, pullKeyOf, type RepositoryRef } from "#ports/pull-ref.ts";
import { runTalkJob } from "#reconcile/reconciler.ts";
import { tick } from "#reconcile/tick.ts";
import type { someRules } from "#testing/makers.ts";
import { createMemoryGit, type MemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { createVirtualClock, type VirtualClock } from "#testing/virtual-clock.ts";

/** One pull of ada's on a sandbox forge (rita may write, mia owns the repository, otto may read), and the parts of a worker whose jobs are run by hand, one at a time. */
export interface JobWorld {
  readonly sandbox: Sandbox;
  readonly people: Readonly<Record<"ada" | "rita" | "mia" | "otto" | "drover", Account>>;
  readonly as: (name: "ada" | "rita" | "mia" | "otto") => SandboxPerson;
  readonly repository: RepositoryRef;
  readonly pull: PullRef;
  readonly dependencies: Dependencies;
  readonly clock: VirtualClock;
  readonly git: Git;
  /** Only where git is in memory. */
  readonly memoryGit: MemoryGit | null;
  records(): Promise<Records>;
  /** Lets some seconds pass and looks at the pull, once; jobs go into the queue. */
  tick(): Promise<void>;
  /** Takes the next job of a queue and runs it, with other parts where a test says so. Undefined: there is none. */
  job(queue: JobQueue, given?: Partial<JobContext>): Promise<JobOutcome | undefined>;
  push(changes: HostChanges): Promise<HeadSha>;
  threadOn(path: string): ThreadId;
  /** Bodies of the comments that Drover wrote, in the conversation. */
  said(): readonly string[];
  /** The same in a thread, without the remark that opened it. */
  repliesIn(thread: ThreadId): readonly string[];
}

export type JobQueue = "review" | "talk" | "session";

export interface WorldOptions {
  readonly base?: HostChanges;
  readonly changes?: HostChanges;
  readonly rules?: Parameters<typeof someRules>[0];
  readonly dependencies?: Partial<Dependencies>;
  readonly faults?: SandboxFaultSource;
  /** GitHub's unless said otherwise. */
  readonly manner?: SandboxManner;
  /** Real git where files must be real; else in memory. */
  readonly gits?: { readonly host: GitHost; readonly git: Git };
}

const branch = "parser";

export async function openJobWorld(options: WorldOptions = {}): Promise<JobWorld> {
  const clock = createVirtualClock(instant(1_767_258_000_000));
  const hub = createMemoryHub();
  const memoryGit = options.gits === undefined ? createMemoryGit(hub) : null;
  const host = options.gits?.host ?? createMemoryHost(hub);
  const git = options.gits?.git ?? createMemoryGit(hub);
  const forge = await openTestForge({
    host,
    clock,
    manner: options.manner ?? "github",
    faults: options.faults ?? (() => null),
    people: { ada: "write", rita: "write", mia: "owner", otto: "read", drover: { kind: "bot", may: "write" } },
    files: { "README.md": "A tool.\n", ...options.base },
  });
  const { sandbox, accounts: people, repository } = forge;
  const files = options.changes ?? { "src/app.js": "run();\n" };
  const pull = await forge.openPull({ branch, files, title: "Add a parser", body: "It reads." });
  const dependencies = someDependencies({
    forge: sandbox.clientOf(people.drover),
    git: memoryGit ?? git,
    clock,
    rules: { approval: { timeoutMs: 10_000 * minuteMs }, ...options.rules },
    ...options.dependencies,
  });
  const base = { sandbox, people, repository, pull, dependencies, clock, git, memoryGit };
  return { ...base, ...handsOf(base) };
}

type Base = Pick<
  JobWorld,
  "sandbox" | "people" | "repository" | "pull" | "dependencies" | "clock" | "git" | "memoryGit"
>;

function handsOf(world: Base): Omit<JobWorld, keyof Base> {
  const { sandbox, people, repository, pull, dependencies, clock } = world;
  const observer = createObserver(dependencies);
  const leaseUntil = (): ReturnType<typeof clock.now> => after(clock.now(), minuteMs);
  return {
    as: (name) => sandbox.as(people[name]),
    records: async () => {
      const stored = await dependencies.store.findPull(pullKeyOf(dependencies.instance, pull));
      if (stored === undefined) throw new Error("nothing is known of the pull");
      return stored.records;
    },
    tick: async () => {
      await clock.advance(3 * secondMs);
      await tick(
        { dependencies, observer, leaseUntil, keepLease: async () => true, scheduleCheck: () => undefined },
        pull,
      );
    },
    job: async (queue, given = {}) => {
      const claimed = await dependencies.queue.claim({ queues: [queue], leaseMs: dependencies.durations.leaseMs });
      if (claimed === null) return undefined;
      const context: JobContext = {
        dependencies,
        observer,
        key: claimed.key,
        attempt: claimed.attempt,
        leaseUntil,
        signal: new AbortController().signal,
        ...given,
      };
      try {
        const end = await runJob(queue, context, claimed.payload);
        if (end.kind === "finished") await dependencies.queue.finish(claimed);
        else await dependencies.queue.retry(claimed, end.at);
        return end;
      } catch (error) {
        await dependencies.queue.retry(claimed, clock.now());
        throw error;
      }
    },
    push: (changes) => sandbox.as(people.ada).push({ repository, branch, changes, message: "Change" }),
    threadOn: (path) => {
      const thread = sandbox.look(pull).threads.find((one) => one.path === path);
      if (thread === undefined) throw new Error(`there is no thread on ${path}`);
      return thread.id;
    },
    said: () => textsOf(sandbox.look(pull).comments, people.drover),
    repliesIn: (id) => {
      const thread = sandbox.look(pull).threads.find((one) => one.id === id);
      return textsOf(thread?.comments.slice(1) ?? [], people.drover);
    },
  };
}

/** Without the managed comment, which every tick writes. */
function textsOf(
  comments: readonly { readonly author: Account; readonly body: string }[],
  { id }: Account,
): readonly string[] {
  const own = comments.filter(({ author }) => author.id === id).map(({ body }) => body);
  return own.filter((body) => !body.startsWith("<!-- drover:managed"));
}

async function runJob(queue: JobQueue, context: JobContext, payload: unknown): Promise<JobOutcome> {
  switch (queue) {
    case "review":
      return await runReviewJob(context, ReviewQueueData.parse(payload));
    case "talk":
      return await runTalkJob(context, TalkJobData.parse(payload));
    default:
      return await runSessionJob(context, SessionJobData.parse(payload));
  }
}
