import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#harness/free-port.ts";
import type { GiteaInstall } from "./gitea-builds.ts";
import { writeHook } from "./gitea-hook.ts";
import { giteaSettings } from "./gitea-settings.ts";
import type { GiteaTold } from "./gitea-told.ts";

const startMsMax = 120_000;
const startPollMs = 50;
/** The port is free when we look and may be taken a moment later. */
const portsTriedMax = 5;

/** A real server in a temporary folder, on a free port of the loopback, which knows nobody but its admin. */
export interface GiteaServer {
  readonly told: GiteaTold;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

export async function startGiteaServer(install: GiteaInstall): Promise<GiteaServer> {
  const folder = await mkdtemp(join(tmpdir(), `drover-gitea-${install.version}-`));
  try {
    return await startIn(install, folder);
  } catch (error) {
    const log = await readFile(join(folder, "log", "gitea.log"), "utf8").catch(() => "");
    await rm(folder, { recursive: true, force: true });
    throw new Error(`Gitea ${install.version} could not be started\n${log.slice(-4_000)}`, { cause: error });
  }
}

async function startIn(install: GiteaInstall, folder: string): Promise<GiteaServer> {
  await mkdir(join(folder, "log"), { recursive: true });
  const hook = await writeHook(install, folder);
  for (let tried = 1; ; tried += 1) {
    const place: Place = { install, folder, hook, port: await freePort() };
    await writeFile(join(folder, "app.ini"), giteaSettings({ ...place, user: userInfo().username }));
    const server = startServer(place);
    try {
      await waitUntilReady(server, place);
      const adminToken = await createAdmin(place);
      return {
        told: { version: install.version, url: urlOf(place), adminToken, folder },
        remove: async () => {
          await endServer(server);
          await rm(folder, { recursive: true, force: true });
        },
      };
    } catch (error) {
      await endServer(server);
      if (tried === portsTriedMax) throw error;
    }
  }
}

interface Place {
  readonly install: GiteaInstall;
  readonly folder: string;
  readonly hook: string;
  readonly port: number;
}

function urlOf({ port }: Place): string {
  return `http://127.0.0.1:${port}`;
}

interface Server {
  readonly gitea: ChildProcess;
  readonly watch: ChildProcess;
}

/** In a session of its own, so that a Control-C in the terminal does not end it before the tests. */
function startServer(place: Place): Server {
  const manner = { cwd: place.folder, detached: true } as const;
  const gitea = spawn(place.install.program, ["web", ...configOf(place)], {
    ...manner,
    // The name that it puts into the hooks.
    argv0: place.hook,
    env: environmentOf(place),
    stdio: "ignore",
  });
  return { gitea, watch: watchOver(gitea, place) };
}

/**
 * A shell that waits for the end of its standard input: whatever becomes of us, even a kill that nobody can catch,
 * closes that pipe, and then the server ends and its folder goes.
 */
function watchOver(gitea: ChildProcess, { folder }: Place): ChildProcess {
  const script = 'read -r word; kill -KILL "$1"; while kill -0 "$1" 2> /dev/null; do sleep 0.1; done; rm -rf "$2"';
  const args = ["-c", script, "sh", String(gitea.pid), folder];
  return spawn("sh", args, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
}

function configOf({ folder }: Place): readonly string[] {
  return ["--config", join(folder, "app.ini"), "--work-path", folder];
}

/**
 * Nothing of whoever runs the tests: git would read their settings, and Gitea its own variables. Memory is not collected
 * before there is a lot of it: hooks live for a moment and the server for minutes, and both spent a quarter of their time
 * on that.
 */
function environmentOf({ folder }: Place): NodeJS.ProcessEnv {
  const memory = { GOGC: "off", GOMEMLIMIT: "512MiB" };
  return { PATH: process.env["PATH"] ?? "", HOME: folder, USER: userInfo().username, ...memory };
}

async function waitUntilReady({ gitea }: Server, place: Place): Promise<void> {
  const deadline = performance.now() + startMsMax;
  while (!(await isReady(place))) {
    if (hasEnded(gitea)) throw new Error("Gitea ended while it started");
    if (performance.now() > deadline) throw new Error(`Gitea was not ready after ${startMsMax} ms`);
    await sleep(startPollMs);
  }
}

async function isReady(place: Place): Promise<boolean> {
  try {
    return (await fetch(`${urlOf(place)}/api/v1/version`)).ok;
  } catch {
    return false;
  }
}

/** Answers with a token of the admin, for whatever only one can do. */
async function createAdmin(place: Place): Promise<string> {
  const password = randomBytes(12).toString("hex");
  const account = ["--username", "overseer", "--password", password, "--email", "overseer@example.invalid", "--admin"];
  await run(place, ["admin", "user", "create", ...account, "--must-change-password=false"]);
  const token = ["--username", "overseer", "--token-name", "tests", "--scopes", "all", "--raw"];
  const said = await run(place, ["admin", "user", "generate-access-token", ...token]);
  // Before it, a server that runs as root says that it should not.
  const found = /^[0-9a-f]{40}$/m.exec(said);
  if (found === null) throw new Error(`gitea made no token: ${said}`);
  return found[0];
}

async function run(place: Place, args: readonly string[]): Promise<string> {
  const child = spawn(place.install.program, [...args, ...configOf(place)], {
    cwd: place.folder,
    env: environmentOf(place),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`gitea ${args.slice(0, 3).join(" ")} failed: ${said.stdout}${said.stderr}`);
  return said.stdout;
}

async function endServer({ gitea, watch }: Server): Promise<void> {
  await end(watch, "SIGKILL");
  // Nothing of it outlives the run, so it need not put anything in order.
  await end(gitea, "SIGKILL");
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
