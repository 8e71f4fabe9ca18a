import type { IncomingMessage } from "node:http";

/** `/mia/tools.git/info/refs`, and so on. */
const gitPath = /^\/([^/]+\/[^/]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;

export interface GitAsked {
  readonly name: string;
  readonly isPush: boolean;
}

/** Undefined for what is no request of git. */
export function readGitRequest({ url = "" }: IncomingMessage): GitAsked | undefined {
  const [path = "", query = ""] = url.split("?");
  const [, name, what] = gitPath.exec(path) ?? [];
  if (name === undefined) return undefined;
  return { name, isPush: what === "git-receive-pack" || query === "service=git-receive-pack" };
}
