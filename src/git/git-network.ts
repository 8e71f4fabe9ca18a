import { readFile, writeFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import type { Config } from "#git/git-environment.ts";
import type { RemoteAccess } from "#git/read-remote.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface NetworkRoute {
  readonly config: Config;
  readonly secrets: readonly string[];
}

/** Git's environment is empty, so it is told the proxies and certificates that the API's client finds in Drover's. */
export async function readNetwork(
  env: Environment,
  certificates: string,
): Promise<(remote: RemoteAccess) => NetworkRoute> {
  const believed = await believedFile(env, certificates);
  const trust: Config =
    believed === null
      ? []
      : [
          ["http.sslCAInfo", believed],
          ["http.proxySSLCAInfo", believed],
        ];
  return (remote) => {
    if (remote.protocol === "file") return { config: [], secrets: [] };
    const proxy = proxyTo(new URL(remote.url), env);
    return proxy === null
      ? { config: trust, secrets: [] }
      : { config: [...trust, ["http.proxy", proxy]], secrets: secretsIn(proxy) };
  };
}

/** Node adds its extra certificates to its own; git would believe those of the one file alone. */
async function believedFile(env: Environment, certificates: string): Promise<string | null> {
  const given = env["GIT_SSL_CAINFO"] ?? "";
  if (given !== "") return given;
  const extra = env["NODE_EXTRA_CA_CERTS"] ?? "";
  // Node too goes on without a file that it cannot read.
  const text = extra === "" ? null : await readFile(extra, "utf8").catch(() => null);
  if (text === null) return null;
  await writeFile(certificates, [...rootCertificates, text, ""].join("\n"), { mode: 0o600 });
  return certificates;
}

/** As undici's agent of the environment chooses, so that API and git take the same way. */
function proxyTo(url: URL, env: Environment): string | null {
  const http = env["http_proxy"] ?? env["HTTP_PROXY"] ?? "";
  const https = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  const proxy = url.protocol === "https:" && https !== "" ? https : http;
  return proxy === "" || goesStraight(url, env["no_proxy"] ?? env["NO_PROXY"] ?? "") ? null : proxy;
}

function goesStraight(url: URL, noProxy: string): boolean {
  const host = url.host.replace(/:\d*$/, "").toLowerCase();
  const port = url.port === "" ? defaultPorts[url.protocol] : url.port;
  return noProxy.split(/[,\s]/).some((entry) => {
    const [, name = entry, onPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    if (name === "" || (onPort !== undefined && onPort !== port)) return false;
    const ending = name.toLowerCase();
    return /^[.*]/.test(ending) ? host.endsWith(ending.replace(/^\*/, "")) : host === ending;
  });
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

function secretsIn(proxy: string): readonly string[] {
  const address = proxy.includes("://") ? proxy : `http://${proxy}`;
  const { username, password } = URL.canParse(address) ? new URL(address) : { username: "", password: "" };
  if (password === "") return [];
  const plain = [username, password].map(unescaped);
  return [password, ...plain.slice(1), Buffer.from(plain.join(":")).toString("base64")];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
