import { createConnection, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askServer } from "./ask-server.ts";
import { sendSigned } from "./send-signed.ts";
import { openServeWorld, type ServeWorld } from "./serve-world.ts";
import { until } from "./until.ts";

let world: ServeWorld;
beforeAll(async () => {
  world = await openServeWorld();
});
afterAll(() => world.close());

/** The server needs most of it to start. */
const heapMegabytes = 192;

const connectionsCount = 150;

/** As much as a server reads at once, in requests of few bytes and long answers. */
const flood = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1500);

describe("strangers who ask without end and never read an answer", () => {
  it("do not fill the memory of a server, which goes on to take webhooks", async () => {
    const node = await world.ready({ env: { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` } });
    const pull = await world.openPull();
    await world.accepted(pull);
    const sockets = Array.from({ length: connectionsCount }, () => askWithoutReading(world.side.port));
    const ended = `drover_connections_ended_total ${connectionsCount}\n`;
    // Nobody who does not read learns by himself that his connection has ended.
    await until(
      async () => node.end() !== null || (await askServer(world.side.port, "/metrics")).body.includes(ended),
      () => node.output(),
    );
    for (const socket of sockets) socket.destroy();
    expect(node.end()).toBeNull();
    const secret = world.side.env.DROVER_WEBHOOK_SECRET;
    expect(await sendSigned({ port: world.side.port, secret, pull })).toBe(202);
    expect(await world.rest()).toBe("");
    expect(await node.stop(60_000)).toEqual({ code: 0, signal: null });
  });
});

function askWithoutReading(port: number): Socket {
  const socket = createConnection({ host: "127.0.0.1", port });
  // Without anybody who listens to its data it is never read beyond the first buffer.
  socket.on("error", () => undefined);
  socket.write(flood);
  return socket;
}
