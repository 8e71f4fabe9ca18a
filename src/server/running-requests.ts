import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import { createBoundedMemory, type MemoryShare } from "#server/bounded-memory.ts";
import type { Metric } from "#server/metric.ts";
import type { ServerLimits } from "#server/server-limits.ts";
import { sparingWarnings } from "#server/sparing-log.ts";

/** The requests that somebody is still waiting for. */
export interface RunningRequests {
  /**
   * From here until it is answered and the answer is read, or the connection is gone. Undefined where the connection
   * has asked for too much at once: it is ended, and nobody is left to be answered.
   */
  began(request: IncomingMessage, response: ServerResponse): RunningRequest | undefined;
  /** Resolves when there are none, or after the deadline. */
  rest(limit: { readonly clock: Clock; readonly deadlineMs: number }): Promise<void>;
  /** Connections that were ended because of what they have asked for. */
  readonly ended: () => Metric;
}

export interface RunningRequest {
  /** It was answered with so many bytes. They count until the other side has read them. */
  answered(bytes: number): void;
}

export interface RunningLimits extends Pick<ServerLimits, "requestsPerConnectionMax" | "requestsBytesMax"> {
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Counted by connection: a response that stands behind another one on a connection that is gone is never heard of
 * again, so its own end cannot be waited for.
 *
 * Node reads as many requests as there are in what it has received, keeps their answers in order, and stops reading when
 * these are not taken. By then a connection that sent 64 kB of the shortest requests has hundreds of answers waiting.
 */
export function countRunning(server: Server, limits: RunningLimits): RunningRequests {
  const memory = createBoundedMemory(limits.requestsBytesMax);
  const connections = new Map<Socket, Connection>();
  const busy = new Set<Connection>();
  const rested = new Set<AbortController>();
  const warn = sparingWarnings(limits, linesPerMinuteMax);
  let endedCount = 0;
  const rests = (connection: Connection): void => {
    busy.delete(connection);
    if (busy.size === 0) for (const controller of rested) controller.abort();
  };
  const forget = (connection: Connection): void => {
    connection.share.release();
    connections.delete(connection.socket);
    rests(connection);
  };
  const endFor = (connection: Connection, why: string): void => {
    endedCount++;
    warn({ why }, "a connection was ended: it asked for too much without reading the answers");
    forget(connection);
    connection.socket.destroy();
  };
  const hold = (connection: Connection, bytes: number): boolean => {
    if (connection.share.grow(connection.bytes + bytes)) {
      connection.bytes += bytes;
      return true;
    }
    // Where another one had to give way, that one was ended; here it is this one.
    if (connections.has(connection.socket)) endFor(connection, "memory");
    return false;
  };
  server.on("connection", (socket: Socket) => {
    const share = memory.open(() => endFor(connection, "memory"));
    const connection: Connection = { socket, share, requests: 0, bytes: 0 };
    connections.set(socket, connection);
    socket.once("close", () => forget(connection));
  });
  return {
    began: ({ socket }, response) => {
      const connection = connections.get(socket);
      if (connection !== undefined && connection.requests >= limits.requestsPerConnectionMax) {
        endFor(connection, "requests");
      }
      if (connection === undefined || !hold(connection, requestBytes)) {
        passOverRest(socket);
        return undefined;
      }
      connection.requests++;
      busy.add(connection);
      let heldBytes = requestBytes;
      response.once("close", () => {
        connection.requests--;
        connection.bytes -= heldBytes;
        connection.share.grow(connection.bytes);
        if (connection.requests === 0) rests(connection);
      });
      return {
        answered: (bytes) => {
          // Mostly the system has taken it already.
          if (response.writableLength > 0 && connections.has(socket) && hold(connection, bytes)) heldBytes += bytes;
        },
      };
    },
    rest: async ({ clock, deadlineMs }) => {
      if (busy.size === 0) return;
      const controller = new AbortController();
      rested.add(controller);
      await clock.sleep(deadlineMs, controller.signal);
      rested.delete(controller);
    },
    ended: () => ({
      name: "drover_connections_ended_total",
      help: "Connections that were ended because they asked for too much without reading the answers.",
      type: "counter",
      samples: [{ value: endedCount }],
    }),
  };
}

/**
 * Node would go on to make a request and a response of everything that it has received on a connection that was ended, and
 * keep them all until it has looked at all other connections: 300 times 64 kB of requests are a gigabyte. It has no public
 * way to stop it, and its parser cannot be paused here: whoever gets it next would find it so. To this answer, which means
 * that another protocol begins, the parser reads no further.
 */
function passOverRest(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser === "object" && parser !== null) Reflect.set(parser, "onIncoming", () => 2);
}

interface Connection {
  readonly socket: Socket;
  readonly share: MemoryShare;
  requests: number;
  bytes: number;
}

/** About what Node and we hold for a request of the usual size until it is over. */
const requestBytes = 8000;

/** The counter tells how many there were. */
const linesPerMinuteMax = 1;
