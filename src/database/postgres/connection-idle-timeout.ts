import { Socket } from "node:net";
import { DatabaseError } from "#database/database-error.ts";
import { silenceMsMax } from "#database/postgres/connection-options.ts";

/** The driver's own limit on queries fails the query but reuses the connection, whose answer is still to come. */
export function endWhenIdle(client: object, silenceMs: number = silenceMsMax): void {
  const stream = findStream(client);
  stream.setTimeout(silenceMs, () => {
    stream.destroy(new DatabaseError("unreachable", `PostgreSQL said nothing for ${silenceMs} ms`));
  });
}

/** Missing in the driver's types. Required: without it a stalled server would block us for ever. */
function findStream(client: object): Socket {
  const connection: unknown = Reflect.get(client, "connection");
  const stream: unknown = typeof connection === "object" && connection !== null && Reflect.get(connection, "stream");
  if (stream instanceof Socket) return stream;
  throw new Error("this version of pg keeps its connection elsewhere");
}
