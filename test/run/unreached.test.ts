import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createForgeReach, reachMetric } from "#app/serve/forge-reach.ts";
import { runCommandLine } from "#cli/command-line.ts";
import { RepositoryId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { createGithubClient } from "#forges/github/github-client.ts";
import { fetchUnlessSilent } from "#forges/silent-fetch.ts";
import { freePort } from "#harness/free-port.ts";
import { heardTerminal } from "#harness/heard-terminal.ts";
import type { Forge } from "#ports/forge.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";
import { hastyClock } from "./run-world.ts";

const aRepository: RepositoryRef = { id: RepositoryId.parse("1"), name: "acme/tools" };

/** Nobody listens at the address, in both manners of real forges and in the sandbox's. */
async function call(
  forge: string,
  args: readonly string[],
  sleep: (ms: number) => Promise<void> = async () => undefined,
) {
  const port = await freePort();
  const { terminal, said } = heardTerminal({
    sleep,
    clock: hastyClock(),
    searchPath: process.env["PATH"] ?? "",
    env: { GITHUB_TOKEN: "ghp_x", GITEA_TOKEN: "x", DROVER_SANDBOX_TOKEN: "x", DROVER_SECRET: "11".repeat(32) },
  });
  const place = ["--forge", forge, "--api-url", `http://127.0.0.1:${port}`, "--repo", "acme/tools", "--pull", "1"];
  const [command = "", ...rest] = args;
  const code = await runCommandLine([command, ...place, ...rest], terminal);
  const why = `127.0.0.1:${port} cannot be reached (ECONNREFUSED): nobody listens there: see that the forge runs`;
  return { ...said, code, why };
}

describe.each(["github", "gitea", "sandbox"])("a forge that cannot be reached (%s)", (forge) => {
  it("is named by run with cause and advice, at the first try, and not as if there had been nothing to do", async () => {
    const { code, out, why } = await call(forge, ["run"]);
    expect(code).toBe(1);
    expect(out.split("\n")[0]).toContain(why);
    expect(out).toContain("could not be done:");
    expect(out).not.toContain("nothing was to be done");
  });

  it("is said by wait at each look, and has a code of its own", async () => {
    const { code, out, err, why } = await call(forge, ["wait", "--timeout", "1m", "--interval", "30s"]);
    expect(code).toBe(5);
    expect(err.split("\n").filter((line) => line.includes(why))).toHaveLength(2);
    expect(out).toContain(`unreachable: `);
    expect(out).toContain(why);
  });

  it("is said by watch at each look, and ends it after ten minutes", async () => {
    let sleptMs = 0;
    const { code, err, why } = await call(forge, ["watch", "--interval", "60s"], async (ms) => {
      sleptMs += ms;
    });
    expect({ code, sleptMs }).toEqual({ code: 5, sleptMs: 600_000 });
    expect(err.split("\n").filter((line) => line.includes(why))).toHaveLength(11);
  });
});

describe("a host that takes connections and never answers", () => {
  const sockets: Socket[] = [];
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("it has no port");
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const advice = "cannot be reached (NO_ANSWER): something takes connections there and does not answer: see that";

  // Each waits for seconds of real time, as people would: side by side they take as long as one.
  it.concurrent.each(["github", "gitea", "sandbox"])(
    "is named by explain with cause and advice, at the first try (%s)",
    async (forge) => {
      const { code, err } = await call(forge, ["explain", "--api-url", url]);
      expect(code).toBe(2);
      expect(err).toContain(`${new URL(url).host} ${advice}`);
    },
  );

  it.each(["github", "gitea"] as const)(
    "is not asked again by the client of %s, and counts as unreached",
    async (kind) => {
      let calls = 0;
      const quick = fetchUnlessSilent(async (input, init) => {
        calls += 1;
        return await globalThis.fetch(input, init);
      }, 50);
      const clock = hastyClock();
      const client: Forge =
        kind === "github"
          ? createGithubClient({ url, access: { kind: "token", token: "ghp_x" }, clock, fetch: quick })
          : createGiteaClient({ url, token: "x", clock, fetch: quick });
      const failed: unknown = await client.fetchRepository("acme/tools").catch((error: unknown) => error);
      expect(failed).toMatchObject({ kind: "unavailable", isUnreached: true });
      expect(calls).toBe(1);
    },
  );
});

describe.each(["github", "gitea"] as const)("a server whose forge cannot be reached (%s)", (kind) => {
  it("logs it once, shows it in its metrics, and says when it is back", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const lines: string[] = [];
    const log = {
      info: (_: object, message: string) => void lines.push(message),
      warn: (_: object, message: string) => void lines.push(message),
      error: ({ why }: { readonly why?: unknown }, message: string) => void lines.push(`${message}: ${String(why)}`),
    };
    const reach = createForgeReach(log);
    const clock = hastyClock();
    const client: Forge =
      kind === "github"
        ? createGithubClient({ url, access: { kind: "token", token: "ghp_x" }, clock })
        : createGiteaClient({ url, token: "x", clock });
    const forge = reach.follow(client);
    const value = () => reachMetric([{ name: kind, reach }]).samples[0]?.value;
    expect(value()).toBe(1);
    for (let count = 0; count < 3; count++)
      await expect(forge.fetchRepository("acme/tools")).rejects.toThrow("reached");
    expect(value()).toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("the forge cannot be reached: ");
    expect(lines[0]).toContain("(ECONNREFUSED)");
    const back = reach.follow({ ...client, fetchRepository: async () => aRepository });
    await back.fetchRepository("acme/tools");
    expect(value()).toBe(1);
    expect(lines.slice(1)).toEqual(["the forge can be reached again"]);
  });
});
