import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below what the system gives to whoever asks for any port, on each system that we know: between the moment when we
 * look and the moment when a process listens, or while it is started again, no outgoing connection takes the port.
 */
const lowest = 10_000;
const above = 32_000;
const triesMax = 100;

/** A port of the loopback that nobody listens on: for a process that has to be told its port, perhaps more than once. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(lowest, above);
    if (await isFree(port)) return port;
  }
  throw new Error(`of ${triesMax} ports of the loopback none was free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
