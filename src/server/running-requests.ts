import { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Socket } from "node:net";
import { type Clock } from "#ports/clock.ts";
import { type Log } from "#ports/log.ts";
import { createBoundedMemory } from "#server/bounded-memory.ts";
import { type Metric } from "#server/metric.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";
import { type ServerLimits } from "#server/server-limits.ts";

interface HeldConnections {
  find(socket: Socket): HeldConnection | undefined;
  readonly ended: () => Metric;
}

interface HeldConnection {
  /** False: too many, so the connection was ended. */
  hold(bytes: number): boolean;
  giveBack(bytes: number): void;
  end(why: "requests" | "memory"): void;
}

interface HeldLimits {
  readonly bytesMax: number;
  readonly log: Log;
  readonly clock: Clock;
  readonly onGone: (connection: HeldConnection) => void;
}

function holdConnections(server: Server, limits: HeldLimits): HeldConnections {
  const memory = createBoundedMemory(limits.bytesMax);
  const connections = new Map<Socket, HeldConnection>();
  const warn = rateLimitedWarnings(limits, linesPerMinuteMax);
  let endedCount = 0;
  server.on("connection", (socket: Socket) => {
    let held = 0;
    const share = memory.open(() => connection.end("memory"));
    const forget = (): void => {
      share.release();
      if (connections.delete(socket)) limits.onGone(connection);
    };
    const connection: HeldConnection = {
      hold: (bytes) => {
        if (share.grow(held + bytes)) {
          held += bytes;
          return true;
        }
        connection.end("memory");
        return false;
      },
      giveBack: (bytes) => {
        held -= bytes;
        share.grow(held);
      },
      end: (why) => {
        if (!connections.has(socket)) return;
        endedCount++;
        warn({ why }, "a connection was ended: it asked for too much without reading the answers");
        forget();
        socket.destroy();
      },
    };
    connections.set(socket, connection);
    socket.once("close", forget);
  });
  return {
    find: (socket) => connections.get(socket),
    ended: () => ({
      name: "drover_connections_ended_total",
      help: "Connections that were ended because they asked for too much without reading the answers.",
      type: "counter",
      samples: [{ value: endedCount }],
    }),
  };
}

const linesPerMinuteMax = 1;

export interface RunningRequests {
  /** Counts until the answer is read or the connection gone. Undefined: it had too many requests and was ended. */
  began(request: IncomingMessage, response: ServerResponse): RunningRequest | undefined;
  rest(limit: { readonly clock: Clock; readonly deadlineMs: number }): Promise<void>;
  readonly ended: () => Metric;
}

export interface RunningRequest {
  /** The bytes count until the other side has read them. */
  answered(bytes: number): void;
}

export interface RunningLimits extends Pick<ServerLimits, "requestsPerConnectionMax" | "requestsBytesMax"> {
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * By connection: answers queued on a lost one never end. 64 kB of the shortest requests queue hundreds of answers
 * before Node stops reading.
 */
export function trackRunningRequests(server: Server, limits: RunningLimits): RunningRequests {
  const counts = new Map<HeldConnection, number>();
  const rested = new Set<AbortController>();
  const set = (connection: HeldConnection, count: number): void => {
    if (count > 0) counts.set(connection, count);
    else counts.delete(connection);
    if (counts.size === 0) for (const controller of rested) controller.abort();
  };
  const onGone = (connection: HeldConnection): void => set(connection, 0);
  const connections = holdConnections(server, { ...limits, bytesMax: limits.requestsBytesMax, onGone });
  return {
    began: ({ socket }, response) => {
      const connection = connections.find(socket);
      const count = connection === undefined ? 0 : (counts.get(connection) ?? 0);
      if (count >= limits.requestsPerConnectionMax) connection?.end("requests");
      if (connection === undefined || !connection.hold(requestBytes)) {
        passOverRest(socket);
        return undefined;
      }
      counts.set(connection, count + 1);
      let heldBytes = requestBytes;
      response.once("close", () => {
        connection.giveBack(heldBytes);
        set(connection, (counts.get(connection) ?? 0) - 1);
      });
      return {
        answered: (bytes) => {
          // Mostly the system has taken it already.
          if (response.writableLength > 0 && connection.hold(bytes)) heldBytes += bytes;
        },
      };
    },
    rest: async ({ clock, deadlineMs }) => {
      if (counts.size === 0) return;
      const controller = new AbortController();
      rested.add(controller);
      await clock.sleep(deadlineMs, controller.signal);
      rested.delete(controller);
    },
    ended: connections.ended,
  };
}

/** About what Node and we hold for a request of the usual size until it is over. */
const requestBytes = 8000;

/**
 * After the end of a connection Node still parses all that it has received: 300 times 64 kB of requests are a gigabyte.
 * No public way stops it, and a paused parser would stay paused for its next user. With this answer, which means that
 * another protocol begins, the parser reads no further.
 */
function passOverRest(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser === "object" && parser !== null) Reflect.set(parser, "onIncoming", () => 2);
}
