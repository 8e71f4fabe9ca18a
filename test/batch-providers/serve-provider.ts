import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { type BatchProvider, providerAddress } from "./batch-provider.ts";

/** The provider on a port of this machine, for whoever is in another process. */
export interface ServedProvider {
  /** In the place of the provider's own address. */
  readonly url: string;
  close(): Promise<void>;
}

export async function serveProvider({ fetch }: Pick<BatchProvider, "fetch">): Promise<ServedProvider> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = "GET", url = "" } = request;
      const bytes = await buffer(request);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const isForm = headers.get("content-type")?.startsWith("multipart/") === true;
      const body = isForm ? await new Response(new Uint8Array(bytes), { headers }).formData() : bytes.toString();
      const path = url.replace(/^\/v1/, "");
      const answered = await fetch(`${providerAddress}${path}`, { method, headers, ...(body === "" ? {} : { body }) });
      response.writeHead(answered.status, { "content-type": "application/json" });
      response.end(await answered.text());
    };
    // A fault that breaks the connection breaks this one.
    void answer().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
