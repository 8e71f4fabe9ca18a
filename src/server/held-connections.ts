import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "#ports/clock.ts";
import type { Log } from "#ports/log.ts";
import { createBoundedMemory } from "#server/bounded-memory.ts";
import type { Metric } from "#server/metric.ts";
import { rateLimitedWarnings } from "#server/rate-limited-log.ts";

/** The memory that connections take with what they have asked for. */
export interface HeldConnections {
  /** Undefined where it was ended, or is gone. */
  find(socket: Socket): HeldConnection | undefined;
  /** Connections that were ended because of what they have asked for. */
  readonly ended: () => Metric;
}

export interface HeldConnection {
  /** Takes so many bytes more. False where there are none left for it: it was ended. */
  hold(bytes: number): boolean;
  giveBack(bytes: number): void;
  end(why: "requests" | "memory"): void;
}

export interface HeldLimits {
  readonly bytesMax: number;
  readonly log: Log;
  readonly clock: Clock;
  /** Called once for each connection, when it is gone or was ended. */
  readonly onGone: (connection: HeldConnection) => void;
}

export function holdConnections(server: Server, limits: HeldLimits): HeldConnections {
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

/** The counter tells how many there were. */
const linesPerMinuteMax = 1;
