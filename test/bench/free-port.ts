import { once } from "node:events";
import { createServer } from "node:net";

/** A port of the loopback that nobody listens on at the moment: Probot cannot be asked to take any that is free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  return address.port;
}
