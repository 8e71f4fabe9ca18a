import process from "node:process";
import { EnvHttpProxyAgent, fetch as fetchThrough } from "undici";

type Fetch = typeof globalThis.fetch;

/** Octokit takes a body that broke off for an empty one; here it breaks the call. */
export function boundedFetch(fetchAnswer: Fetch, bytesMax: number): Fetch {
  return async (input, init) => {
    const response = await fetchAnswer(input, init);
    const { status, statusText, headers } = response;
    const body = response.body === null ? null : await readBody(response.body, bytesMax);
    const isBodiless = status === 204 || status === 205 || status === 304;
    return new Response(isBodiless ? null : body, { status, statusText, headers: plainHeaders(headers) });
  };
}

/** The body is unpacked by now, so the headers about its packing are wrong. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete("content-encoding");
  plain.delete("content-length");
  return plain;
}

async function readBody(stream: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.byteLength;
    if (bytes > bytesMax) throw new Error(`the answer has more than ${bytesMax} bytes`);
    parts.push(part);
  }
  const body = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.byteLength;
  }
  return body;
}

const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"] as const;

/** Node's own fetch ignores proxies of the environment. */
export function environmentFetch(environment: Readonly<Record<string, string | undefined>> = process.env): Fetch {
  if (!proxyVariables.some((name) => (environment[name] ?? "") !== "")) return globalThis.fetch;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: environment["http_proxy"] ?? environment["HTTP_PROXY"] ?? "",
    httpsProxy: environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? "",
    noProxy: environment["no_proxy"] ?? environment["NO_PROXY"] ?? "",
  });
  const proxied: unknown = (input: string, init: Parameters<typeof fetchThrough>[1]) =>
    fetchThrough(input, { ...init, dispatcher });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same function in another version of undici, whose types differ in name alone.
  return proxied as Fetch;
}
