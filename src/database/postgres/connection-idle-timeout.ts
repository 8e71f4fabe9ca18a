import { Socket } from "node:net";
import { DatabaseError } from "#database/database-error.ts";
import { silenceMsMax } from "#database/postgres/connection-options.ts";

/**
 * Ends a connection on which nothing came for too long, and with it the statement that waits there. The driver's own
 * limit on queries does not: it answers with an error and gives the connection, whose answer is still to come, to others.
 */
export function endWhenIdle(client: object, silenceMs: number = silenceMsMax): void {
  const stream = findStream(client);
  stream.setTimeout(silenceMs, () => {
    stream.destroy(new DatabaseError("unreachable", `PostgreSQL said nothing for ${silenceMs} ms`));
  });
}

/** The driver does not name it in its types. Without it a stalled server would hold us for ever, so it must be there. */
function findStream(client: object): Socket {
  const connection: unknown = Reflect.get(client, "connection");
  const stream: unknown = typeof connection === "object" && connection !== null && Reflect.get(connection, "stream");
  if (stream instanceof Socket) return stream;
  throw new Error("this version of pg keeps its connection elsewhere");
}
