import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "#harness/free-port.ts";

/** The emulator in a process of its own, as its command starts it. */
export interface EmulateProcess {
  readonly url: string;
  stop(): Promise<void>;
}

const loopback = "127.0.0.1";

/** What never comes fails the test by this limit, however slow the machine. */
const startMsMax = 50_000;
const glanceMs = 50;

export async function startEmulate(seed: object): Promise<EmulateProcess> {
  const folder = await mkdtemp(join(tmpdir(), "drover-emulate-"));
  const seedFile = join(folder, "seed.json");
  await writeFile(seedFile, JSON.stringify(seed));
  const port = await freePort();
  const script = fileURLToPath(import.meta.resolve("emulate/cli"));
  const args = ["start", "--service", "github", "--port", String(port), "--seed", seedFile];
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
  const closed = once(child, "close");
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://${loopback}:${port}`;
  const deadline = performance.now() + startMsMax;
  while (!(await isAnswering(url))) {
    if (child.exitCode === null && performance.now() < deadline) {
      await sleep(glanceMs);
      continue;
    }
    await stop();
    throw new Error(`emulate did not start: ${Buffer.concat(said).toString("utf8")}`);
  }
  return { url, stop };
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/rate_limit`);
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
