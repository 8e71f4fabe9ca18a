import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { runAction } from "#action/run-action.ts";
import { createSystemClock } from "#app/system-clock.ts";
import type { Account } from "#core/model/account.ts";
import type { Check } from "#core/model/conversation.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox, SandboxFaultSource, SandboxManner, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { createRealHost } from "#git/real-host.ts";
import { serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import { knock } from "#harness/door.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { type EventName, eventOf } from "./event.ts";
import { type JobProcess, startJobProcess } from "./job-process.ts";

/** A forge with people on it, and a runner that starts the Action as the forge's own does: a process, variables, files. */
export interface Runner {
  readonly sandbox: Sandbox;
  readonly repository: RepositoryRef;
  readonly accounts: Readonly<Record<"ada" | "rita" | "mia" | "bot", Account>>;
  readonly ada: SandboxPerson;
  readonly rita: SandboxPerson;
  /** What the forge was asked so far. */
  readonly requests: readonly { readonly path: string; readonly isWrite: boolean }[];
  /** Ada opens a pull with these files in it. */
  openPull(changes: HostChanges, options?: { readonly isDraft: boolean }): Promise<PullRef>;
  /** Decides what goes wrong on the forge from now on. */
  spoil(source: SandboxFaultSource): void;
  /** One job, from its event to its end. */
  job(asked: JobAsked): Promise<JobEnd>;
  /** One that is still running. */
  start(asked: JobAsked): Promise<RunningJob>;
  /** Fails where a request was not as the forge describes it. */
  close(): Promise<void>;
}

export interface GithubRunner extends Runner {
  readonly github: GithubLike;
  /** One job within this process, with another way to models. */
  jobHere(asked: JobAsked, fetch: typeof globalThis.fetch): Promise<JobEnd>;
}

export interface JobAsked {
  readonly event: EventName;
  readonly pull: PullRef;
  /** Of the fork that the pull comes from; without it the pull is the repository's own. */
  readonly fork?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Of the operator's file, beside the forge. */
  readonly config?: object;
  /** More than the template asks for. */
  readonly permissions?: Readonly<Record<string, "write">>;
}

export interface JobEnd {
  readonly code: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface RunningJob {
  readonly process: JobProcess;
  end(): Promise<JobEnd>;
}

const secret = "ab".repeat(32);
/** As the template names them. */
const workflowName = "Drover";
const jobId = "review";

export interface RunnerOptions {
  /** Which Node starts the jobs; that of the tests, unless told otherwise. */
  readonly node?: string | undefined;
}

/** A runner of GitHub. */
export async function openRunner(options: RunnerOptions = {}): Promise<GithubRunner> {
  const place = await openPlace("github");
  const { folder, sandbox, gitRoot, repository, accounts } = place;
  const { bot } = accounts;
  const github = await serveGithubLike({ sandbox, app: { bot }, gitRoot });
  github.addWorkflow({ name: workflowName, event: "pull_request", job: jobId });
  const layOut = layingOut(place, {
    forge: { name: "github", kind: "github", apiUrl: github.url, token: { env: "GITHUB_TOKEN" }, writeGapMs: 0 },
    env: { GITHUB_API_URL: github.url },
    tokenFor: (asked) => tokenOf(github, { bot, repository, asked }),
  });
  const runner = runnerOf(place, { served: github, layOut, node: options.node });
  return {
    ...runner,
    github,
    jobHere: async (asked, fetch) => await runHere(await layOut(asked), fetch),
    close: async () => await closePlace(folder, github),
  };
}

const giteaToken = "t0ken-of-drover";
const giteaPlace = { name: "gitea", kind: "gitea", token: { env: "GITEA_TOKEN" }, writeGapMs: 0 };

/** A runner of Gitea, which starts the same program with an account of Drover's own, as our workflow for it says. */
export async function openGiteaRunner(options: RunnerOptions = {}): Promise<Runner> {
  const place = await openPlace("gitea");
  const { folder, sandbox, gitRoot, accounts } = place;
  const gitea = await serveGiteaLike({ sandbox, gitRoot });
  gitea.tokens.set(giteaToken, accounts.bot);
  const layOut = layingOut(place, {
    forge: { ...giteaPlace, url: gitea.url, repositories: [place.repository.name] },
    env: { GITEA_ACTIONS: "true", GITHUB_API_URL: `${gitea.url}/api/v1`, GITHUB_SERVER_URL: gitea.url },
    tokenFor: () => giteaToken,
  });
  const runner = runnerOf(place, { served: gitea, layOut, node: options.node });
  return { ...runner, close: async () => await closePlace(folder, gitea) };
}

interface Place {
  readonly folder: string;
  readonly gitRoot: string;
  readonly sandbox: Sandbox;
  readonly repository: RepositoryRef;
  readonly accounts: Runner["accounts"];
  readonly spoil: (source: SandboxFaultSource) => void;
}

async function openPlace(manner: SandboxManner): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "drover-runner-"));
  const gitRoot = join(folder, "forge");
  const host = await createRealHost({ folder: gitRoot, searchPath: process.env["PATH"] ?? "" });
  let source: SandboxFaultSource = noFault;
  const sandbox = createSandbox({
    host,
    clock: createSystemClock(),
    manner,
    // Else a job that is quick would see less than the one after it.
    quirks: { mergeabilityDelayMs: 0 },
    faults: (call) => source(call),
  });
  const add = (login: string): Account => sandbox.addAccount({ login, kind: "person" });
  const isGithub = manner === "github";
  const bot = isGithub ? sandbox.addAccount({ login: "github-actions[bot]", kind: "bot" }) : add("drover");
  const accounts = { ada: add("ada"), rita: add("rita"), mia: add("mia"), bot };
  const files = { "README.md": "# Tools\n" };
  const repository = await sandbox.createRepository({ name: "mia/tools", by: accounts.mia, files });
  for (const account of [accounts.ada, accounts.rita]) {
    sandbox.setPermission({ repository, account, permission: "write" });
  }
  // Gitea tells only administrators what others may do.
  sandbox.setPermission({ repository, account: bot, permission: isGithub ? "write" : "admin" });
  return {
    folder,
    gitRoot,
    sandbox,
    repository,
    accounts,
    spoil: (next) => {
      source = next;
    },
  };
}

interface Served extends Pick<Runner, "requests"> {
  readonly violations: readonly string[];
  close(): Promise<void>;
}

async function closePlace(folder: string, served: Served): Promise<void> {
  await served.close();
  await rm(folder, { recursive: true, force: true });
  if (served.violations.length > 0)
    throw new Error(`what the forge describes was violated:\n${served.violations.join("\n")}`);
}

interface RunnerParts {
  readonly served: Served;
  readonly layOut: (asked: JobAsked) => Promise<LaidOut>;
  readonly node: string | undefined;
}

function runnerOf(place: Place, { served, layOut, node }: RunnerParts): Omit<Runner, "close"> {
  const { sandbox, repository, accounts, spoil } = place;
  const ada = sandbox.as(accounts.ada);
  let pulls = 0;
  const start: Runner["start"] = async (asked) => {
    const { event, pull } = asked;
    const hasCheck = sandbox.manner === "github" && event !== "issue_comment" && pull.number <= pulls;
    const commit = hasCheck ? sandbox.look(pull).pull.head.sha : null;
    // As GitHub does it: a job that a pull started has a check on its head, and one that was cancelled has failed.
    const check = async (state: Check["state"]): Promise<void> => {
      if (commit !== null) await sandbox.as(accounts.bot).report({ repository, commit, name: jobId, state });
    };
    await check("pending");
    const started = startJob(await layOut(asked), { script: String(await knock(inject("actionDoor"))), node });
    return {
      process: started.process,
      end: async () => {
        const ended = await started.end();
        await check(ended.code === 0 ? "passed" : "failed");
        return ended;
      },
    };
  };
  return {
    sandbox,
    repository,
    accounts,
    ada,
    rita: sandbox.as(accounts.rita),
    requests: served.requests,
    openPull: async (changes, { isDraft } = { isDraft: false }) => {
      pulls += 1;
      const branch = `pull-${pulls}`;
      await ada.push({ repository, branch, changes, message: `Change ${pulls}` });
      const opening = { repository, branch, base: "main", title: `Change ${pulls}`, body: "Please." };
      return await ada.openPull({ ...opening, isDraft });
    },
    spoil,
    job: async (asked) => await (await start(asked)).end(),
    start,
  };
}

/** What a workflow with the permissions of our template is given; one for a fork's code only reads. */
function tokenOf(
  github: GithubLike,
  { bot, repository, asked }: { readonly bot: Account; readonly repository: RepositoryRef; readonly asked: JobAsked },
): string {
  const right = asked.fork === undefined ? "write" : "read";
  return github.issueToken({
    bot,
    repositories: [repository],
    permissions: {
      actions: "read",
      metadata: "read",
      contents: "read",
      checks: "read",
      issues: right,
      pull_requests: right,
      statuses: right,
      ...asked.permissions,
    },
  });
}

/** What the runner of a forge tells its jobs. */
interface JobForge {
  /** As a configuration names it. Writes need no distance on a server of one's own. */
  readonly forge: object;
  readonly env: Readonly<Record<string, string>>;
  readonly tokenFor: (asked: JobAsked) => string;
}

function layingOut({ folder, repository }: Place, told: JobForge): (asked: JobAsked) => Promise<LaidOut> {
  let jobs = 0;
  return async (asked) => {
    jobs += 1;
    return await layOutJob({ ...told, repository, prefix: join(folder, `job-${jobs}`) }, asked);
  };
}

interface JobPlace extends JobForge {
  readonly repository: RepositoryRef;
  readonly prefix: string;
}

/** What a runner has ready before it starts a job. */
interface LaidOut {
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<"output" | "summary", string>>;
}

async function layOutJob({ repository, prefix, ...told }: JobPlace, asked: JobAsked): Promise<LaidOut> {
  const files = { event: `${prefix}-event.json`, output: `${prefix}-output`, summary: `${prefix}-summary.md` };
  await writeFile(files.event, JSON.stringify(eventOf(asked, repository)));
  await writeFile(files.output, "");
  await writeFile(files.summary, "");
  // A job for a fork's code has no secrets.
  const own = asked.fork === undefined ? { secret } : {};
  const inputs = {
    github_token: told.tokenFor(asked),
    config: JSON.stringify({ forges: [told.forge], ...asked.config }),
    ...own,
    ...asked.inputs,
  };
  return {
    files,
    env: {
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_REPOSITORY: repository.name,
      GITHUB_WORKFLOW: workflowName,
      GITHUB_JOB: jobId,
      GITHUB_EVENT_NAME: asked.event,
      GITHUB_EVENT_PATH: files.event,
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      RUNNER_TEMP: join(prefix, ".."),
      ...told.env,
      ...asked.env,
    },
  };
}

function startJob(
  { env, files }: LaidOut,
  program: { readonly script: string; readonly node: string | undefined },
): RunningJob {
  const job = startJobProcess({ ...program, env });
  return { process: job, end: async () => await endOf(await job.ended, job.output(), files) };
}

async function runHere({ env, files }: LaidOut, fetch: typeof globalThis.fetch): Promise<JobEnd> {
  let log = "";
  const code = await runAction({
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    out: (text) => {
      log += text;
    },
    readFile: async (path) => await readFile(path, "utf8"),
    appendFile,
    signal: new AbortController().signal,
    fetch,
  });
  return await endOf(code, log, files);
}

async function endOf(code: number | null, log: string, files: LaidOut["files"]): Promise<JobEnd> {
  const outputs = readOutputs(await readFile(files.output, "utf8"));
  return { code, log, outputs, summary: await readFile(files.summary, "utf8") };
}

function readOutputs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split("\n").flatMap((line) => {
    const at = line.indexOf("=");
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
  });
  return Object.fromEntries(pairs);
}

function noFault(): null {
  return null;
}
