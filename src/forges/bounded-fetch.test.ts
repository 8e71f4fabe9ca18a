import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundedFetch, environmentFetch } from "#forges/bounded-fetch.ts";

describe("fetching through the environment", () => {
  const tunnels: string[] = [];
  let site: Server;
  let proxy: Server;
  beforeAll(async () => {
    site = createServer((_, response) => response.end("from the site"));
    proxy = createServer((_, response) => response.writeHead(400).end());
    proxy.on("connect", (request, socket) => {
      tunnels.push(request.url ?? "");
      const way = connect(portOf(site), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        way.pipe(socket).pipe(way);
      });
    });
    await Promise.all([listen(site), listen(proxy)]);
  });
  afterAll(() => {
    for (const server of [site, proxy]) server.close().closeAllConnections();
  });

  it("takes the proxy that it names, also to names that this machine cannot look up", async () => {
    const fetchThrough = environmentFetch({ HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}` });
    const answer = await fetchThrough("http://code.invalid/api", { method: "POST", body: "Hello." });
    expect(await answer.text()).toBe("from the site");
    expect(tunnels).toEqual(["code.invalid:80"]);
  });

  it("goes straight to where it says that there is to be no proxy", async () => {
    tunnels.length = 0;
    const fetchThrough = environmentFetch({
      HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      NO_PROXY: "127.0.0.1",
    });
    const answer = await fetchThrough(`http://127.0.0.1:${portOf(site)}/`);
    expect([await answer.text(), tunnels]).toEqual(["from the site", []]);
  });

  it("is plain fetching where there is no proxy", () => {
    expect(environmentFetch({})).toBe(globalThis.fetch);
    expect(environmentFetch({ HTTPS_PROXY: "" })).toBe(globalThis.fetch);
  });
});

describe("a bounded answer", () => {
  it("is whole up to the limit, and none beyond it", async () => {
    const text = "x".repeat(100);
    const bounded = (bytesMax: number) => boundedFetch(async () => new Response(text), bytesMax);
    expect(await (await bounded(100)("https://a.test")).text()).toBe(text);
    await expect(bounded(99)("https://a.test")).rejects.toThrow("99 bytes");
    const broken = boundedFetch(async () => new Response(endless()), 5_000);
    await expect(broken("https://a.test")).rejects.toThrow("5000 bytes");
  });

  it("keeps status and headers, and says no more how it was packed", async () => {
    const headers = { etag: '"one"', "content-encoding": "gzip", "content-length": "3" };
    const bounded = boundedFetch(async () => new Response("abc", { status: 404, headers }), 1_000);
    const { status, headers: kept } = await bounded("https://a.test");
    expect([status, kept.get("etag"), kept.get("content-encoding")]).toEqual([404, '"one"', null]);
  });
});

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) });
}
