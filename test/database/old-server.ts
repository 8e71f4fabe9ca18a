import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** Something that speaks just enough of PostgreSQL's protocol to be asked for its version, and says that it is 12.22. */
export async function startOldServer(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  return { url: `postgres://drover@127.0.0.1:${address.port}/drover`, close: () => server.close() };
}

const ready = message("Z", Buffer.from("I"));
const admitted = message("R", Buffer.from([0, 0, 0, 0]));

function answer(socket: Socket): void {
  socket.on("error", () => undefined);
  // Each message of so small a conversation comes in one piece: the greeting, then the question.
  socket.once("data", () => {
    socket.write(Buffer.concat([admitted, ready]));
    socket.on("data", () => {
      socket.write(Buffer.concat([columns(["number", "name"]), row(["120022", "12.22"]), done, ready]));
    });
  });
}

const done = message("C", Buffer.from("SELECT 1\0"));

function columns(names: readonly string[]): Buffer {
  const type = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0]);
  const fields = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), type]));
  return message("T", Buffer.concat([Buffer.from([0, names.length]), ...fields]));
}

function row(values: readonly string[]): Buffer {
  const fields = values.map((value) => Buffer.concat([int32(value.length), Buffer.from(value)]));
  return message("D", Buffer.concat([Buffer.from([0, values.length]), ...fields]));
}

function message(kind: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
