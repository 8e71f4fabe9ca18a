import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type Config, type EnvironmentOptions, gitEnvironment } from "#git/git-environment.ts";
import type { GitLimits } from "#git/git-limits.ts";
import type { NetworkRoute } from "#git/git-network.ts";
import type { RemoteAccess } from "#git/read-remote.ts";
import { GitError, type GitErrorKind } from "#ports/git.ts";

const messageCharactersMax = 600;

/** Fit for a log: short, one line, no secrets, addresses or control characters. */
function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "***");
  clean = clean
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi, "***")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return clean.length > messageCharactersMax ? `${clean.slice(0, messageCharactersMax)}…` : clean;
}

export interface GitRun {
  /** Starts with the subcommand. Never a secret: everybody on the machine can see it. */
  readonly args: readonly string[];
  /** Always said: a folder may hold what looks like one. */
  readonly gitDir?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly config?: Config;
  readonly input?: Uint8Array | undefined;
  readonly remote?: RemoteAccess | undefined;
  readonly stdoutBytesMax?: number | undefined;
  /** A longer answer is cut with `isCut`, instead of an error. */
  readonly mayCut?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Asked from time to time; a text ends the process as over its limit. */
  readonly measure?: (() => Promise<string | undefined>) | undefined;
}

export interface GitRan {
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isCut: boolean;
}

export type RunGit = (run: GitRun) => Promise<GitRan>;

export interface RunGitOptions extends EnvironmentOptions {
  readonly limits: GitLimits;
  readonly wayTo?: (remote: RemoteAccess) => NetworkRoute;
}

export function createRunGit(options: RunGitOptions): RunGit {
  const { limits } = options;
  const [heavy, network] = [
    createConcurrencyLimit(limits.heavyAtOnceMax),
    createConcurrencyLimit(limits.networkAtOnceMax),
  ];
  const slotsFor = ({ remote, args }: GitRun): ConcurrencyLimit | undefined => {
    if (remote !== undefined) return network;
    return heavyCommands.has(args[0]) ? heavy : undefined;
  };
  const start: RunGit = async (run) => {
    const way = run.remote === undefined ? undefined : options.wayTo?.(run.remote);
    if (run.signal?.aborted === true) throw new GitError("cancelled", "git was not started: the call was cancelled");
    const environment = gitEnvironment(options, {
      protocol: run.remote?.protocol ?? null,
      config: [...(run.config ?? []), ...(run.remote?.config ?? []), ...(way?.config ?? [])],
    });
    const gitDir = run.gitDir === undefined ? [] : [`--git-dir=${run.gitDir}`];
    const child = spawn(...limitedCommand(["git", ...gitDir, ...run.args], memoryFor(run, limits)), {
      cwd: options.home,
      env: { ...environment, ...run.environment },
      stdio: ["pipe", "pipe", "pipe"],
      // A process group, so that what git starts can be ended with it.
      detached: true,
    });
    return follow(child, { ...run, secrets: [...(run.remote?.secrets ?? []), ...(way?.secrets ?? [])] }, limits);
  };
  return async (run) => {
    const slots = slotsFor(run);
    return slots === undefined ? await start(run) : await slots.take(() => start(run), run.signal);
  };
}

/** Their memory grows with what others pushed. */
const heavyCommands: ReadonlySet<string | undefined> = new Set(["diff-tree", "grep", "repack"]);

function memoryFor({ remote, args }: GitRun, limits: GitLimits): number {
  const isPacking = remote !== undefined || args[0] === "repack";
  return isPacking ? limits.packMemoryBytesMax : limits.memoryBytesMax;
}

/** Node cannot limit a child's memory, a shell can. A lower limit of Drover's own stays. Only Linux keeps to it. */
function limitedCommand(
  [program, ...args]: readonly [string, ...string[]],
  memoryBytes: number,
): [program: string, args: string[]] {
  if (process.platform !== "linux") return [program, args];
  const script = `ulimit -v ${Math.floor(memoryBytes / 1024)} 2>/dev/null; exec "$0" "$@"`;
  return ["/bin/sh", ["-c", script, program, ...args]];
}

/** A shell's codes for no such program, or none that it may start. */
const notStarted: ReadonlySet<number | null> = new Set([126, 127]);

export async function mustRun(runGit: RunGit, run: GitRun): Promise<GitRan> {
  const ran = await runGit(run);
  if (ran.code !== 0 && !ran.isCut) throw failure("failed", run, ran);
  return ran;
}

/** Too little memory is a limit, whatever the work. */
export function failure(kind: GitErrorKind, run: GitRun, ran: GitRan): GitError {
  if (isOutOfMemory(ran)) {
    const why = "it needs more memory than a git process may have (memoryBytesMax, packMemoryBytesMax)";
    return new GitError("over_limit", `git ${run.args[0] ?? ""}: ${why}: ${ran.stderr}`);
  }
  return new GitError(kind, `git ${run.args[0] ?? ""} ended with ${ran.code ?? "a signal"}: ${ran.stderr}`);
}

/** Git tells it in prose alone, which is English here. */
function isOutOfMemory({ stderr }: GitRan): boolean {
  return /out of memory|cannot allocate memory|unable to (?:create thread|map)|mmap failed/i.test(stderr);
}

interface Ending {
  readonly kind: "cut" | "timeout" | "cancelled" | "over_limit";
  readonly why: string;
}

interface Followed extends GitRun {
  readonly secrets: readonly string[];
}

function follow(child: ChildProcessWithoutNullStreams, run: Followed, limits: GitLimits): Promise<GitRan> {
  const stdoutBytesMax = run.stdoutBytesMax ?? limits.answerBytesMax;
  let ending: Ending | undefined;
  const timers: NodeJS.Timeout[] = [];
  const end = (kind: Ending["kind"], why: string): void => {
    if (ending !== undefined) return;
    ending = { kind, why };
    signalGroup(child, "SIGTERM");
    timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), limits.graceMs));
  };
  const stdout = collect(child.stdout, stdoutBytesMax, () =>
    end(run.mayCut === true ? "cut" : "over_limit", `answer of more than ${stdoutBytesMax} bytes`),
  );
  // Of complaints the beginning counts.
  const stderr = collect(child.stderr, limits.stderrBytesMax, () => undefined);
  const timeMs = run.remote === undefined ? limits.commandMsMax : limits.networkMsMax;
  timers.push(setTimeout(() => end("timeout", `not done within ${timeMs} ms`), timeMs));
  const abort = (): void => end("cancelled", "the call was cancelled");
  run.signal?.addEventListener("abort", abort, { once: true });
  const stopMeasuring = measureAgain(run, limits, (why) => end("over_limit", why));
  // Git may end without reading everything; its exit code tells whether that was right.
  child.stdin.on("error", () => undefined);
  child.stdin.end(run.input ?? new Uint8Array());
  return new Promise<GitRan>((resolve, reject) => {
    child.once("error", (cause) => reject(new GitError("unsupported", notStartedWords, { cause })));
    child.once("close", (code) => {
      if (notStarted.has(code)) return reject(new GitError("unsupported", notStartedWords));
      // Readers of a failed review need not know paths of this machine.
      const places = [run.remote?.url, run.gitDir].filter((place) => place !== undefined);
      const secrets = [...run.secrets, ...places];
      const ran = {
        code: code ?? undefined,
        stdout: stdout(),
        stderr: scrub(stderr().toString(), secrets),
        isCut: false,
      };
      if (ending === undefined) resolve(ran);
      else if (ending.kind === "cut") resolve({ ...ran, isCut: true });
      else reject(new GitError(ending.kind, `git ${run.args[0] ?? ""}: ${ending.why}`));
    });
  }).finally(() => {
    for (const timer of timers) clearTimeout(timer);
    stopMeasuring();
    run.signal?.removeEventListener("abort", abort);
    if (ending !== undefined) signalGroup(child, "SIGKILL");
  });
}

const notStartedWords = "git could not be started: is it installed?";

function collect(stream: NodeJS.ReadableStream, bytesMax: number, onFull: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    const room = bytesMax - bytes;
    if (chunk.length > room) onFull();
    if (room > 0) chunks.push(chunk.subarray(0, room));
    bytes += Math.min(room, chunk.length);
  });
  return () => Buffer.concat(chunks);
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {}
}

function measureAgain(run: GitRun, limits: GitLimits, onOver: (why: string) => void): () => void {
  const { measure } = run;
  if (measure === undefined) return () => undefined;
  const timer = setInterval(() => {
    measure().then(
      (why) => (why === undefined ? undefined : onOver(why)),
      // What cannot be measured now is measured the next time.
      () => undefined,
    );
  }, limits.measureMs);
  return () => clearInterval(timer);
}

interface ConcurrencyLimit {
  /** A caller that gives up while waiting has begun nothing. */
  take<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value>;
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const waiting = new Set<() => void>();
  let taken = 0;
  const give = (): void => {
    const [next] = waiting;
    if (next === undefined) taken--;
    else {
      waiting.delete(next);
      next();
    }
  };
  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(new GitError("cancelled", "git was not started: the call was cancelled"));
      };
      waiting.add(begin);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  return {
    async take(work, signal) {
      if (taken < max) taken++;
      else await wait(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
