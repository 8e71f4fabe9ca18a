import * as z from "zod";
import { createSystemClock } from "#app/system-clock.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import { serveSandbox } from "#forges/sandbox/remote/serve-sandbox.ts";
import type { SandboxPerson } from "#forges/sandbox/sandbox.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { answerParent } from "./answer-parent.ts";

/**
 * The sandbox forge with many open pulls, for whoever comes by HTTP. Its git is in memory: ten thousand branches would
 * take real git minutes to make, and none of them is what is measured.
 */
const Order = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), pulls: z.number() }),
  z.object({ kind: z.literal("count") }),
]);

/**
 * As many as a page of digests holds. The sandbox looks through all branches of a repository at each call, so with more
 * of them the forge would be what is measured.
 */
const pullsPerRepository = 100;

const counted = { calls: 0, writes: 0 };

answerParent(
  async (message) => {
    const order = Order.parse(message);
    return order.kind === "start" ? await start(order) : counted;
  },
  async () => undefined,
);

async function start({ pulls }: { readonly pulls: number }): Promise<object> {
  const sandbox = createSandbox({
    host: createMemoryHost(createMemoryHub()),
    clock: createSystemClock(),
    manner: "github",
    // Mergeability is known at once, so that nobody has to look again for its sake.
    quirks: { mergeabilityDelayMs: 0 },
    faults: ({ isWrite }) => {
      counted.calls += 1;
      if (isWrite) counted.writes += 1;
      return null;
    },
  });
  const bot = sandbox.addAccount({ login: "drover", kind: "bot" });
  const ada = sandbox.addAccount({ login: "ada", kind: "person" });
  const refs: PullRef[] = [];
  for (let first = 0; first < pulls; first += pullsPerRepository) {
    const made = { name: `acme/tools-${first}`, by: ada, files: { "README.md": "# Tools\n" } };
    const repository = await sandbox.createRepository(made);
    sandbox.setPermission({ repository, account: bot, permission: "admin" });
    for (let number = first; number < Math.min(pulls, first + pullsPerRepository); number += 1) {
      refs.push(await openPull(sandbox.as(ada), repository, number));
    }
  }
  const token = "token-of-drover";
  const { url } = await serveSandbox({ sandbox, tokens: new Map([[token, bot]]), port: 0 });
  return { url, token, refs };
}

async function openPull(ada: SandboxPerson, repository: RepositoryRef, number: number): Promise<PullRef> {
  const branch = `change-${number}`;
  const title = `Change ${number}`;
  const changes = { [`src/change-${number}.ts`]: `export const change = ${number};\n` };
  await ada.push({ repository, branch, changes, message: title });
  return await ada.openPull({ repository, branch, base: "main", title, body: "Please." });
}
