import { once } from "node:events";
import { createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { findPostgresBinaries } from "./town/postgres-binaries.ts";
import { type PostgresCluster, startPostgresCluster } from "./town/postgres-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the loopback on which this run tells the URL of its PostgreSQL; null where no server is installed. */
    readonly postgresDoor: number | null;
  }
}

/**
 * One PostgreSQL for the whole run, started when the first test asks for it. What is provided must be known before the
 * first test, so the tests get a door to knock at: each connection is answered with the URL once the server is ready.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) {
    project.provide("postgresDoor", null);
    return async () => undefined;
  }
  let cluster: Promise<PostgresCluster> | undefined;
  const door = createServer((visitor) => {
    visitor.on("error", () => undefined);
    cluster ??= startPostgresCluster(binaries);
    cluster.then(
      ({ url }) => visitor.end(JSON.stringify({ url })),
      (error: unknown) => visitor.end(JSON.stringify({ error: String(error) })),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  project.provide("postgresDoor", address.port);
  return async () => {
    door.close();
    await (await cluster)?.remove();
  };
}
