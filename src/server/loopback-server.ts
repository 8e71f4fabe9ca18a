import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface LoopbackPage {
  readonly status: number;
  readonly html: string;
}

const host = "127.0.0.1";
const requestMsMax = 10_000;

/** Loads nothing from elsewhere, in no frame, and never cached. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
} as const;

/** Only under its own address: a page elsewhere cannot make a browser ask under another name. */
export async function serveOnLoopback(options: {
  readonly port: number;
  readonly answer: (asked: URL) => Promise<LoopbackPage>;
}): Promise<{ readonly url: string; close(): Promise<void> }> {
  let url = "";
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isOwn = request.method === "GET" && `http://${request.headers.host}` === url;
    const path = request.url ?? "/";
    const { status, html } =
      isOwn && URL.canParse(path, url) ? await options.answer(new URL(path, url)) : { status: 404, html: "not found" };
    response.writeHead(status, pageHeaders).end(html);
  };
  const server = createServer({ requestTimeout: requestMsMax }, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port: options.port }, resolve);
  });
  const bound = server.address();
  url = `http://${host}:${bound !== null && typeof bound === "object" ? bound.port : options.port}`;
  return {
    url,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
