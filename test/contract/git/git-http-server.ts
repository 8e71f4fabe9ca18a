import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { runGitCgi } from "#harness/git-cgi.ts";

/** A forge's git on loopback, behind a password, with the manners of a bad network on demand. */
export interface GitHttpServer {
  readonly url: string;
  /** The authorization of every request, in order. */
  readonly seen: (string | undefined)[];
  /** What happens to requests whose path ends like this. */
  disturb(pathEnd: string, how: Disturbance): void;
  close(): Promise<void>;
}

export type Disturbance =
  /** Everything is done, and the answer is lost. */
  { readonly kind: "lose_answer" } | { readonly kind: "hang_up" } | { readonly kind: "redirect"; readonly to: string };

export async function serveGit(options: { readonly root: string; readonly token: string }): Promise<GitHttpServer> {
  const seen: (string | undefined)[] = [];
  const disturbances = new Map<string, Disturbance>();
  const wanted = `Basic ${Buffer.from(`bot:${options.token}`).toString("base64")}`;
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const [path = ""] = (request.url ?? "").split("?");
    const [, how] = [...disturbances].find(([end]) => path.endsWith(end)) ?? [];
    if (how?.kind === "hang_up") request.socket.destroy();
    else if (how?.kind === "redirect") response.writeHead(302, { location: how.to + (request.url ?? "") }).end();
    else if (request.headers.authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": `Basic realm="${options.token}"` }).end("who are you?");
    } else runGitCgi({ request, response, root: options.root, losesAnswer: how !== undefined });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    disturb: (pathEnd, how) => void disturbances.set(pathEnd, how),
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
