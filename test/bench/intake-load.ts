import { connect, type Socket } from "node:net";
import * as z from "zod";
import { answerParent } from "./answer-parent.ts";
import { quantile } from "./figures.ts";
import { readAnswer } from "./http-answer.ts";
import type { LoadReport } from "./intake-report.ts";
import { makeRequests, type SignedRequest } from "./intake-requests.ts";

/**
 * Sends deliveries as fast as they are answered, each connection one after the other. Bare sockets and requests that
 * were made before, so that the sender has less to do than any server.
 */
const Order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("prepare"), secret: z.string(), path: z.string(), connections: z.number() }),
  z.object({ kind: z.literal("send"), port: z.number(), ms: z.number() }),
]);

/** Enough for a connection to begin again only long after. */
const requestsPerConnection = 24;

let lines: readonly (readonly SignedRequest[])[] = [];
let sent = 0;

answerParent(
  async (message) => {
    const order = Order.parse(message);
    if (order.kind === "send") return await sendFor(order);
    const all = makeRequests({ ...order, count: order.connections * requestsPerConnection });
    // Each connection has its own: an id is written into bytes that nobody else is sending.
    lines = Array.from({ length: order.connections }, (_, line) =>
      all.filter((_request, index) => index % order.connections === line),
    );
    return { bytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0) / all.length };
  },
  async () => undefined,
);

interface Tally {
  readonly latencies: number[];
  failed: number;
}

async function sendFor({ port, ms }: { readonly port: number; readonly ms: number }): Promise<LoadReport> {
  const tally: Tally = { latencies: [], failed: 0 };
  const start = performance.now();
  const until = start + ms;
  await Promise.all(lines.map((requests) => sendLine(requests, { port, until, tally })));
  const spentMs = performance.now() - start;
  const sorted = Float64Array.from(tally.latencies).sort();
  const { failed } = tally;
  return { taken: sorted.length, failed, ms: spentMs, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

interface Line {
  readonly port: number;
  readonly until: number;
  readonly tally: Tally;
}

/** A connection that is closed is opened again: that is what a forge does. */
async function sendLine(requests: readonly SignedRequest[], line: Line): Promise<void> {
  let at = 0;
  while (performance.now() < line.until) at = await sendOn(requests, line, at);
}

/** Sends on one connection until the time is over or the connection is, and answers with where it stopped. */
function sendOn(requests: readonly SignedRequest[], { port, until, tally }: Line, first: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let at = first;
    let isWaiting = false;
    let startedAt = 0;
    let received = "";
    const next = (): void => {
      startedAt = performance.now();
      if (startedAt >= until) {
        socket.destroy();
        return;
      }
      isWaiting = true;
      writeRequest(socket, requests[at % requests.length]);
      at += 1;
    };
    socket.on("connect", next);
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = "";
      isWaiting = false;
      if (answer.status >= 200 && answer.status < 300) tally.latencies.push(performance.now() - startedAt);
      else tally.failed += 1;
      if (answer.isLast) socket.destroy();
      else next();
    });
    // An error is followed by this as well.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (isWaiting) tally.failed += 1;
      resolve(at);
    });
  });
}

const idDigits = 12;

function writeRequest(socket: Socket, request: SignedRequest | undefined): void {
  if (request === undefined) throw new Error("there is nothing to send");
  sent += 1;
  request.bytes.write(sent.toString(16).padStart(idDigits, "0"), request.idAt + idTail, "latin1");
  socket.write(request.bytes);
}

/** The last group of an id has twelve digits. */
const idTail = 24;
