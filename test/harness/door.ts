import { once } from "node:events";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";

/** A server that the tests share, started when the first of them asks for it. */
export interface Door {
  /** On the loopback. */
  readonly port: number;
  /** Ends what was started behind it. */
  close(): Promise<void>;
}

/**
 * What is provided to tests must be known before the first of them, and most runs need no server at all. So they get a
 * door to knock at: each connection is answered with what `start` told, once it is ready.
 */
export async function openDoor(
  start: () => Promise<{ readonly told: unknown; readonly remove: () => Promise<void> }>,
): Promise<Door> {
  let started: ReturnType<typeof start> | undefined;
  const door = createServer((visitor) => {
    visitor.on("error", () => undefined);
    started ??= start();
    started.then(
      ({ told }) => visitor.end(JSON.stringify({ told })),
      (error: unknown) => visitor.end(JSON.stringify({ error: String(error) })),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("a server on the loopback has no port");
  return {
    port: address.port,
    close: async () => {
      door.close();
      // One that failed to start has said so to whoever asked.
      await (await started?.catch(() => undefined))?.remove();
    },
  };
}

/** What the one behind the door told; it parses as nothing yet. */
export async function knock(port: number): Promise<unknown> {
  const answer: unknown = JSON.parse(await text(connect(port, "127.0.0.1")));
  if (typeof answer !== "object" || answer === null) throw new Error("the door gave no answer");
  if ("error" in answer) throw new Error(String(answer.error));
  return "told" in answer ? answer.told : undefined;
}
