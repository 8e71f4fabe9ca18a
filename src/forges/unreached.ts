import { codeOf } from "#core/error-code.ts";
export interface NoAnswerReason {
  readonly why: string;
  /** Of a write it proves nothing: an open connection can end with the same code. */
  readonly isUnreached: boolean;
}

/** The host takes connections and says nothing. */
export const noAnswerCode = "NO_ANSWER";

/** By the codes of the system and of Node's fetch. */
const advice: ReadonlyMap<string, string> = new Map([
  ["ENOTFOUND", "nobody knows a host of that name: see that the address is right"],
  ["EAI_AGAIN", "the name cannot be looked up now: see that this machine has a network and a name server"],
  ["ECONNREFUSED", "nobody listens there: see that the forge runs, and that address and port are right"],
  [
    "EHOSTUNREACH",
    "no way leads there: see that this machine has a network, and whether it needs a proxy (HTTPS_PROXY)",
  ],
  [
    "ENETUNREACH",
    "no way leads there: see that this machine has a network, and whether it needs a proxy (HTTPS_PROXY)",
  ],
  [
    noAnswerCode,
    "something takes connections there and does not answer: see that the forge runs and is not overloaded, that address and port are right, and whether a proxy is in the way (HTTPS_PROXY)",
  ],
  ["ETIMEDOUT", "no connection in time: see whether a firewall is in the way, or a proxy is needed (HTTPS_PROXY)"],
  [
    "UND_ERR_CONNECT_TIMEOUT",
    "no connection in time: see whether a firewall is in the way, or a proxy is needed (HTTPS_PROXY)",
  ],
]);

const certificateCodes =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF)|ERR_TLS_CERT)/;

/** The address may hold more than anybody should read: only its host is told. */
export function noAnswerReason(url: string, cause: unknown): NoAnswerReason {
  const { host } = new URL(url);
  const code = codeIn(cause);
  const tried = code === undefined ? undefined : advice.get(code);
  if (tried !== undefined) return { why: `${host} cannot be reached (${code}): ${tried}`, isUnreached: true };
  if (code !== undefined && certificateCodes.test(code)) {
    const what =
      "its certificate is not trusted here: see that the address is right, or name the file of your own authority in NODE_EXTRA_CA_CERTS";
    return { why: `${host} cannot be reached (${code}): ${what}`, isUnreached: true };
  }
  const isLate = isTimeout(cause);
  const how = isLate ? "no answer in time" : "the connection broke";
  return {
    why: `${host} did not answer: ${how}${code === undefined || isLate ? "" : ` (${code})`}`,
    isUnreached: false,
  };
}

function isTimeout(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > depthMax) return false;
  return error.name === "TimeoutError" || isTimeout(error.cause, depth + 1);
}

/** Deeper causes belong to the code that wrapped them. */
const depthMax = 5;

/** Fetch wraps what the system said; a host with several addresses has one error for each of them. */
function codeIn(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > depthMax) return undefined;
  const own = codeOf(error);
  if (own !== undefined) return own;
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return codeIn(first, depth + 1) ?? codeIn(error.cause, depth + 1);
}
