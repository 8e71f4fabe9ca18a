import type { Account } from "#core/model/account.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import { serveSandbox } from "#forges/sandbox/remote/serve-sandbox.ts";
import type { SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { openSandboxWorld } from "./sandbox-world.ts";
import type { ForgeWorld } from "./world.ts";

/** The sandbox forge as another process reaches it: people are at the forge itself, and the client comes over HTTP. */
export async function remoteWorld(manner: SandboxManner, quirks: Partial<SandboxQuirks> = {}): Promise<ForgeWorld> {
  const { sandbox, world } = openSandboxWorld(manner, quirks);
  const tokens = new Map<string, Account>();
  const served = await serveSandbox({ sandbox, tokens, port: 0 });
  const forgeClock = { now: () => world.now(), sleep: async () => undefined };
  return {
    ...world,
    clientOf: (account, clock = forgeClock) => {
      const token = `token-of-${account.login}`;
      tokens.set(token, account);
      return createRemoteSandbox({ url: served.url, token, clock });
    },
    close: () => served.close(),
  };
}
