import { type Agent, type IncomingMessage, request } from "node:http";

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly msMax: number;
  readonly answerBytesMax: number;
  readonly agent?: Agent;
}

export type Posted =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "refused" }
  | { readonly kind: "silent" }
  | { readonly kind: "broken"; readonly why: string };

export function postOnce({ url, headers, body, msMax, answerBytesMax, agent }: Posting): Promise<Posted> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(failureOf(error));
    const sent = request(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      signal: AbortSignal.timeout(msMax),
      agent: agent ?? false,
    });
    sent.on("error", fail);
    sent.on("response", (response) => {
      readAnswer(response, answerBytesMax).then(resolve, fail);
    });
    sent.end(body);
  });
}

async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<Posted> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("an answer is read as bytes");
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return { kind: "broken", why: `the answer has more than ${bytesMax} bytes` };
    chunks.push(chunk);
  }
  return { kind: "answered", status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") };
}

function failureOf(error: NodeJS.ErrnoException): Posted {
  if (error.code === "ECONNREFUSED") return { kind: "refused" };
  if (error.code === "ABORT_ERR") return { kind: "silent" };
  return { kind: "broken", why: error.code ?? error.message };
}
