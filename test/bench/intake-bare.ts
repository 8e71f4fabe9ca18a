import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import * as z from "zod";
import { answerParent } from "./answer-parent.ts";

/** What Node itself can do at most: receives a delivery, checks its signature, and forgets it. */
const Order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), port: z.number(), secret: z.string() }),
  z.object({ kind: z.literal("count") }),
]);

answerParent(
  async (message) => {
    const order = Order.parse(message);
    if (order.kind === "start") await start(order);
    return { rows: null, commits: null };
  },
  async () => undefined,
);

async function start({ port, secret }: { readonly port: number; readonly secret: string }): Promise<void> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = isSigned(request, Buffer.concat(chunks), secret) ? 202 : 401;
      response.writeHead(status, { "content-length": 3 }).end("ok\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
}

function isSigned({ headers }: IncomingMessage, body: Buffer, secret: string): boolean {
  const given = Buffer.from(String(headers["x-hub-signature-256"]));
  const made = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  return given.length === made.length && timingSafeEqual(given, made);
}
