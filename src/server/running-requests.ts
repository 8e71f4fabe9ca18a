import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "#ports/clock.ts";

/** The requests that somebody is still waiting for. */
export interface RunningRequests {
  /** From here until it is answered, or the connection is gone. */
  began(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when there are none, or after the deadline. */
  rest(limit: { readonly clock: Clock; readonly deadlineMs: number }): Promise<void>;
}

/**
 * Counted by connection: a response that stands behind another one on a connection that is gone is never heard of
 * again, so its own end cannot be waited for.
 */
export function countRunning(server: Server): RunningRequests {
  const counts = new Map<Socket, number>();
  const rested = new Set<AbortController>();
  const set = (socket: Socket, count: number): void => {
    if (count > 0) counts.set(socket, count);
    else counts.delete(socket);
    if (counts.size === 0) for (const controller of rested) controller.abort();
  };
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => set(socket, 0));
  });
  return {
    began: ({ socket }, response) => {
      counts.set(socket, (counts.get(socket) ?? 0) + 1);
      response.once("close", () => set(socket, (counts.get(socket) ?? 0) - 1));
    },
    rest: async ({ clock, deadlineMs }) => {
      if (counts.size === 0) return;
      const controller = new AbortController();
      rested.add(controller);
      await clock.sleep(deadlineMs, controller.signal);
      rested.delete(controller);
    },
  };
}
