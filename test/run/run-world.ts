import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openSandboxServer, type SandboxServer } from "#app/sandbox-server/sandbox-server.ts";
import { createSystemClock } from "#app/system-clock.ts";
import { runCommandLine } from "#cli/command-line.ts";
import { after, type Instant, secondMs } from "#core/model/instant.ts";
import type { SandboxFaultSource, SandboxManner } from "#forges/sandbox/sandbox.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import type { Clock } from "#ports/clock.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** A sandbox forge served over HTTP, and `drover` on it as somebody at a terminal would call it. */
export interface RunWorld {
  readonly forge: SandboxServer;
  openPull(changes: HostChanges): Promise<PullRef>;
  /** Decides what goes wrong on the forge from now on. */
  spoil(source: SandboxFaultSource): void;
  /** The forge's clock leaps ahead. */
  passTime(ms: number): void;
  drover(args: readonly string[], options?: CallOptions): Promise<Called>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What `--event`, `--config` and the like find. */
  readonly files?: Readonly<Record<string, string>>;
  /** The last word of an option counts: what a test says about the place comes after what is usual. */
  readonly isPlaceFirst?: boolean;
  /** Instead of sleeping. */
  readonly sleep?: (ms: number, said: string) => Promise<void>;
}

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Something that the rules object to, and something that they do not. */
export const badChange: HostChanges = { "src/loud.ts": "export function shout() {\n  debugger;\n}\n" };
export const goodChange: HostChanges = { "src/quiet.ts": "export const quiet = 1;\n" };

/** Forges count whole seconds, and what was said in one second has no order: whoever reacts to it comes in the next. */
export async function nextSecond(): Promise<void> {
  await setTimeout(secondMs - (Date.now() % secondMs) + 1);
}

export async function openRunWorld(manner: SandboxManner = "github"): Promise<RunWorld> {
  const folder = await mkdtemp(join(tmpdir(), "drover-run-world-"));
  const searchPath = process.env["PATH"] ?? "";
  let source: SandboxFaultSource = noFault;
  const clock = createSystemClock();
  let aheadMs = 0;
  const forge = await openSandboxServer({
    folder,
    searchPath,
    port: 0,
    manner,
    // Else a merge would wait for the forge's clock, over which nobody leaps.
    quirks: { mergeabilityDelayMs: 0 },
    faults: (asked) => source(asked),
    clock: { ...clock, now: () => after(clock.now(), aheadMs) },
    repositories: [{ name: "acme/tools", files: { "README.md": "# Tools\n" } }],
    webhooks: null,
  });
  let pulls = 0;
  return {
    forge,
    spoil: (next) => {
      source = next;
    },
    openPull: async (changes) => {
      const [repository] = forge.repositories;
      if (repository === undefined) throw new Error("there is no repository");
      const ada = forge.sandbox.as(forge.people.ada);
      pulls += 1;
      const branch = `pull-${pulls}`;
      await ada.push({ repository, branch, changes, message: "Change it" });
      return await ada.openPull({ repository, branch, base: "main", title: "Change it", body: "Please." });
    },
    passTime: (ms) => {
      aheadMs += ms;
    },
    drover: async (args, options = {}) => await call(forge, args, options),
    close: async () => {
      await forge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Longer waits are for what never comes in these tests: a lease that is kept, a run that ends in time. */
const leapMsMax = 10_000;

/** A clock for forge and Drover together, which leaps to the next second instead of waiting for it. */
export interface LeapingClock extends Clock {
  leapToNextSecond(): void;
}

export function leapingClock(): LeapingClock {
  const clock = createSystemClock();
  let aheadMs = 0;
  const now = (): Instant => after(clock.now(), aheadMs);
  return {
    now,
    sleep: async (ms, signal) => await clock.sleep(ms, signal),
    leapToNextSecond: () => {
      aheadMs += secondMs - (now() % secondMs) + 1;
    },
  };
}

/** Short waits are leapt over. The forge has another clock, and shows everything at once. */
export function hastyClock(clock: Clock = createSystemClock()): Clock {
  let ahead = 0;
  return {
    now: () => after(clock.now(), ahead),
    sleep: async (ms, signal) => {
      if (ms > leapMsMax) await clock.sleep(ms, signal);
      else ahead += Math.max(0, ms);
    },
  };
}

async function call(
  { url, tokens }: SandboxServer,
  args: readonly string[],
  { env = {}, files = {}, isPlaceFirst = false, sleep = async () => undefined }: CallOptions,
): Promise<Called> {
  const place = ["--forge", "sandbox", "--api-url", url, "--repo", "acme/tools"];
  const [command = "", ...rest] = args;
  const { terminal, said } = heardTerminal({
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`there is no ${path}`);
      return text;
    },
    sleep: async (ms) => await sleep(ms, said.out),
    clock: hastyClock(),
    searchPath: process.env["PATH"] ?? "",
    env: { DROVER_SANDBOX_TOKEN: tokens.drover, ...env },
  });
  const code = await runCommandLine(isPlaceFirst ? [command, ...place, ...rest] : [...args, ...place], terminal);
  return { code, ...said };
}

function noFault(): null {
  return null;
}
