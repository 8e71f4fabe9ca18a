import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import { runGitCgi } from "#harness/git-cgi.ts";
import type { GitError } from "#ports/git.ts";
import { type RealWorld, realWorld } from "./real-world.ts";
import { unknownCertificate, unknownCertificateKey } from "./unknown-certificate.ts";
import { main } from "./world.ts";

const password = "px-4Rk8Wv2#7";
const proxyAuthorization = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;

/** `code.invalid` has an address nowhere: whoever reaches it went through the proxy. */
describe("a remote on the other side of a proxy", () => {
  let forge: RealWorld;
  let first: HeadSha;
  let site: Server;
  let tlsSite: ReturnType<typeof createTlsServer>;
  let proxy: Server;
  let passed: string[];

  beforeEach(async () => {
    forge = await realWorld();
    const hand = await forge.createRemote();
    first = await hand.commit({ changes: { a: "a\n" } });
    await hand.setRef(main, first);
    passed = [];
    const serve: Parameters<typeof createServer>[1] = (request, response) => {
      // What is not encrypted a proxy is asked for by the whole address.
      const address = request.url ?? "";
      if (address.startsWith("http:")) {
        passed.push(new URL(address).host);
        request.url = address.slice(new URL(address).origin.length);
      }
      runGitCgi({ request, response, root: forge.root });
    };
    site = createServer(serve);
    tlsSite = createTlsServer({ cert: unknownCertificate, key: unknownCertificateKey }, serve);
    proxy = createServer(serve);
    proxy.on("connect", (request, socket) => {
      if (request.headers["proxy-authorization"] !== proxyAuthorization) {
        socket.end(
          'HTTP/1.1 407 Who are you?\r\nProxy-Authenticate: Basic realm="p"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
        );
        return;
      }
      passed.push(request.url ?? "");
      const way = connect(portOf(tlsSite), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        way.pipe(socket).pipe(way);
      });
      for (const end of [way, socket]) end.on("error", () => undefined);
    });
    await Promise.all([site, tlsSite, proxy].map(listen));
  });
  afterEach(() => {
    for (const server of [site, tlsSite, proxy]) server.close().closeAllConnections();
    forge.close();
  });

  function proxyAddress(user = ""): string {
    return `http://${user}127.0.0.1:${portOf(proxy)}`;
  }

  it("is fetched from through the one that the environment names", async () => {
    expect(await fetchMain("http://code.invalid", { HTTP_PROXY: proxyAddress() })).toBe(first);
    expect(new Set(passed)).toEqual(new Set(["code.invalid"]));
  });

  it("is reached straight where the environment says so", async () => {
    const env = { HTTP_PROXY: proxyAddress(), no_proxy: "git.example, 127.0.0.1" };
    expect(await fetchMain(`http://127.0.0.1:${portOf(site)}`, env)).toBe(first);
    expect(passed).toEqual([]);
  });

  it("is believed by a certificate of one's own, with a password for the proxy", async () => {
    const certificate = join(forge.root, "own.pem");
    writeFileSync(certificate, unknownCertificate);
    const HTTPS_PROXY = proxyAddress(`me:${encodeURIComponent(password)}@`);
    for (const name of ["NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO"]) {
      passed.length = 0;
      expect(await fetchMain("https://code.invalid", { HTTPS_PROXY, [name]: certificate })).toBe(first);
      expect(new Set(passed)).toEqual(new Set(["code.invalid:443"]));
    }
    await expect(fetchMain("https://code.invalid", { HTTPS_PROXY })).rejects.toThrow(/certificate/);
  });

  it("tells nobody the proxy's password when it is refused", async () => {
    const HTTPS_PROXY = proxyAddress(`me:wrong-${encodeURIComponent(password)}@`);
    const error = await fetchMain("https://code.invalid", { HTTPS_PROXY }).catch((caught: GitError) => caught);
    expect(String(error)).toContain("407");
    expect(String(error)).not.toContain("wrong-");
  });
});

async function fetchMain(url: string, env: Readonly<Record<string, string>>): Promise<HeadSha | null | undefined> {
  const world = await realWorld({ protocols: ["http", "https"], limits: { networkMsMax: 60_000 }, env });
  try {
    const remote = { url: `${url}/remote-1.git`, credential: null };
    const mirror = await world.git.ensureMirror({ key: "one", remote });
    return (await mirror.fetchRefs({ remote, refs: [main] }))[0]?.commit;
  } finally {
    world.close();
  }
}

function listen(server: Server | ReturnType<typeof createTlsServer>): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
