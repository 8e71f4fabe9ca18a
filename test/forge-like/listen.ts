import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

const loopback = "127.0.0.1";

/** A server on loopback; the port 0 is any that is free. */
export function listen(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A mistake of this server: it has to be seen, and the test has to fail.
      response.writeHead(500, { "content-type": "text/plain" });
      response.end(error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  server.keepAliveTimeout = 15_000;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: loopback, port }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") return reject(new Error("the server has no port"));
      return resolve({
        url: `http://${loopback}:${address.port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
