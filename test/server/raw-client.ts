import { createConnection, type Socket } from "node:net";

/** A client that sends any bytes, also such as no HTTP client would. */
export interface RawClient {
  send(...pieces: readonly (string | Uint8Array)[]): void;
  /** Says that nothing more will come, and goes on listening. */
  hangUp(): void;
  destroy(): void;
  /** Everything that has come so far, as it came. */
  received(): string;
  /** Resolves with the first so many answers, or with those that came before the other side ended the connection. */
  answers(count: number): Promise<readonly RawAnswer[]>;
  /** Resolves when the other side has ended the connection, with all its answers. */
  ended(): Promise<readonly RawAnswer[]>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export async function connectTo(port: number): Promise<RawClient> {
  const socket = await openSocket(port);
  let received = "";
  let isEnded = false;
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
    tell();
  });
  // A connection that is cut while we send is what many of these tests are about.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isEnded = true;
    tell();
  });
  const until = (isDone: () => boolean): Promise<readonly RawAnswer[]> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isDone()) return;
        listeners.delete(look);
        resolve(readAnswers(received));
      };
      listeners.add(look);
      look();
    });
  return {
    send: (...pieces) => {
      for (const piece of pieces) socket.write(piece);
    },
    hangUp: () => void socket.end(),
    destroy: () => void socket.destroy(),
    received: () => received,
    answers: (count) => until(() => isEnded || readAnswers(received).length >= count),
    ended: () => until(() => isEnded),
  };
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: "127.0.0.1", port, noDelay: true });
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

/** All whole answers. Ours have a length. Node's own to garbage have no body, or an empty one in chunks. */
function readAnswers(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const headEnd = text.indexOf("\r\n\r\n", at);
    if (headEnd < 0) return answers;
    const [statusLine = "", ...lines] = text.slice(at, headEnd).split("\r\n");
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const emptyBytes = headers.get("transfer-encoding") === "chunked" ? "0\r\n\r\n".length : 0;
    const bodyEnd = headEnd + 4 + Number(headers.get("content-length") ?? emptyBytes);
    if (text.length < bodyEnd) return answers;
    answers.push({ status: Number(statusLine.split(" ")[1]), headers, body: text.slice(headEnd + 4, bodyEnd) });
    at = bodyEnd;
  }
}
