import { isAbsolute } from "node:path";
import { GitError, type Remote } from "#ports/git.ts";

export type Protocol = "https" | "http" | "file";

export interface RemoteAccess {
  readonly url: string;
  readonly protocol: Protocol;
  /** For this call alone, in the environment, which only the same user can read. */
  readonly config: readonly (readonly [string, string])[];
  readonly secrets: readonly string[];
}

export function readRemote(remote: Remote, allowed: readonly Protocol[]): RemoteAccess {
  const protocol = protocolOf(remote.url);
  if (protocol === undefined || !allowed.includes(protocol)) {
    throw new GitError("bad_request", `a remote needs one of the allowed protocols: ${allowed.join(", ")}`);
  }
  const header = remote.credential === null ? undefined : basicToken(remote.credential);
  if (header === undefined || protocol === "file") return { url: remote.url, protocol, config: [], secrets: [] };
  return {
    url: remote.url,
    protocol,
    // Bound to this address: no other remote and no redirection sees it.
    config: [[`http.${remote.url}.extraHeader`, `Authorization: Basic ${header.token}`]],
    secrets: [header.secret, header.token],
  };
}

/** Undefined unless plain: everybody on the machine could see a user name in it. */
function protocolOf(url: string): Protocol | undefined {
  if (/\p{Cc}|\p{Surrogate}/u.test(url)) return undefined;
  if (isAbsolute(url)) return "file";
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.username !== "" || parsed.password !== "") return undefined;
  switch (parsed.protocol) {
    case "https:":
      return "https";
    case "http:":
      return "http";
    case "file:":
      return "file";
    default:
      return undefined;
  }
}

function basicToken(credential: NonNullable<Remote["credential"]>): {
  readonly token: string;
  readonly secret: string;
} {
  const secret = credential.reveal();
  // A line break would be a second header.
  if (/[\r\n\0]/.test(secret) || /[\r\n\0:]/.test(credential.username)) {
    throw new GitError("bad_request", "a credential holds a character that no header can");
  }
  return { secret, token: Buffer.from(`${credential.username}:${secret}`).toString("base64") };
}
