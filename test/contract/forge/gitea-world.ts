import type { Account } from "#core/model/account.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import { openSandboxWorld } from "./sandbox-world.ts";
import type { ForgeWorld } from "./world.ts";

/**
 * Gitea as far as one can have it without one: people are at the sandbox itself, and the client speaks HTTP to a server
 * that answers for it as a Gitea of this version does. The numbers are the same on both sides.
 */
export async function giteaWorld(version: string): Promise<ForgeWorld> {
  const { sandbox, world } = openSandboxWorld("gitea", {});
  const served = await serveGiteaLike({ sandbox, version });
  const forgeClock: Clock = { now: () => world.now(), sleep: async () => undefined };
  return {
    ...world,
    clientOf(account, clock = forgeClock) {
      const token = `token-of-${account.login}`;
      served.tokens.set(token, account);
      const client = createGiteaClient({ url: served.url, token, clock });
      return {
        ...client,
        dismissReview: (request) => dismissAsAdmin({ client, world, account }, request),
        fetchRemote: (...asked) => memoryRemote({ client, sandbox, account }, asked),
      };
    },
    async close() {
      await served.close();
      const faults = served.violations;
      if (faults.length > 0) throw new Error(`Gitea's description was violated:\n${faults.join("\n")}`);
    },
  };
}

/**
 * Only admins of a repository dismiss, which Drover's account is meant to be there. In the scene it is a writer, so that
 * what writers are not told can be seen; for this call it is made what it should be.
 */
async function dismissAsAdmin(
  { client, world, account }: { readonly client: Forge; readonly world: ForgeWorld; readonly account: Account },
  request: Parameters<Forge["dismissReview"]>[0],
): Promise<void> {
  await world.setPermission({ repository: request.pull.repository, account, permission: "admin" });
  await client.dismissReview(request);
}

/** Git is in memory here: what the client names is asked for, and another address of the same repository is given. */
async function memoryRemote(
  { client, sandbox, account }: { readonly client: Forge; readonly sandbox: Sandbox; readonly account: Account },
  asked: Parameters<Forge["fetchRemote"]>,
): ReturnType<Forge["fetchRemote"]> {
  await client.fetchRemote(...asked);
  return await sandbox.clientOf(account).fetchRemote(...asked);
}
