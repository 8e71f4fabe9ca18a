import { expect, it } from "vitest";
import { readNetwork } from "#git/git-network.ts";
import { readRemote } from "#git/read-remote.ts";

async function proxyTo(url: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const wayTo = await readNetwork(env, "/nonexistent/certificates.pem");
  const { config } = wayTo(readRemote({ url, credential: null }, ["https", "http", "file"]));
  return config.find(([key]) => key === "http.proxy")?.[1];
}

const both = { HTTP_PROXY: "http://plain:1", https_proxy: "http://secure:2" };

it.each([
  ["https://a.example/x.git", both, "http://secure:2"],
  ["http://a.example/x.git", both, "http://plain:1"],
  // As undici has it: what is good for plain requests is for encrypted ones as well.
  ["https://a.example/x.git", { HTTP_PROXY: "http://plain:1" }, "http://plain:1"],
  ["http://a.example/x.git", { HTTPS_PROXY: "http://secure:2" }, undefined],
  ["/srv/x.git", both, undefined],
  ["https://a.example/x.git", {}, undefined],
  ["https://a.example/x.git", { ...both, NO_PROXY: "*" }, undefined],
  ["https://a.example/x.git", { ...both, NO_PROXY: "b.example,A.example" }, undefined],
  ["https://a.example/x.git", { ...both, NO_PROXY: ".example" }, undefined],
  ["https://a.example/x.git", { ...both, NO_PROXY: "*.example" }, undefined],
  ["https://a.example/x.git", { ...both, NO_PROXY: "example" }, "http://secure:2"],
  ["https://a.example/x.git", { ...both, NO_PROXY: "a.example:443" }, undefined],
  ["https://a.example:8443/x.git", { ...both, NO_PROXY: "a.example:443" }, "http://secure:2"],
] as const)("git goes to %s with the environment %j through the proxy %s", async (url, env, proxy) => {
  expect(await proxyTo(url, env)).toBe(proxy);
});

it("git uses the machine's own certificates if the file that the environment names cannot be read", async () => {
  const wayTo = await readNetwork({ NODE_EXTRA_CA_CERTS: "/nonexistent/extra.pem" }, "/nonexistent/certificates.pem");
  expect(wayTo(readRemote({ url: "https://a.example/x.git", credential: null }, ["https"])).config).toEqual([]);
});
