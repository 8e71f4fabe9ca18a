import type { Account } from "#core/model/account.ts";
import { instant, minuteMs } from "#core/model/instant.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox, SandboxManner, SandboxPerson, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import type { Clock } from "#ports/clock.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

/** A sandbox forge on git in memory: mia owns a repository, ada has an open pull in it, drover is a bot. */
export interface SmallHarness {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly accounts: Readonly<Record<"mia" | "ada" | "drover", Account>>;
  readonly mia: SandboxPerson;
  readonly ada: SandboxPerson;
  readonly repository: RepositoryRef;
  openPull(): Promise<PullRef>;
}

export async function openSmallHarness(
  manner: SandboxManner,
  quirks: Partial<SandboxQuirks> = {},
): Promise<SmallHarness> {
  let now = 1_767_258_000_000;
  const clock = {
    // Each look at it is a little later: what happens has an order.
    now: () => instant((now += minuteMs)),
    sleep: async () => undefined,
  };
  const sandbox = createSandbox({ manner, clock, host: createMemoryHost(createMemoryHub()), quirks });
  const accounts = {
    mia: sandbox.addAccount({ login: "mia", kind: "person" }),
    ada: sandbox.addAccount({ login: "ada", kind: "person" }),
    drover: sandbox.addAccount({ login: "drover", kind: "bot" }),
  };
  const files = { "README.md": "# Tools\n" };
  const repository = await sandbox.createRepository({ name: "mia/tools", by: accounts.mia, files });
  for (const account of [accounts.ada, accounts.drover]) {
    sandbox.setPermission({ repository, account, permission: "write" });
  }
  const ada = sandbox.as(accounts.ada);
  return {
    sandbox,
    clock,
    accounts,
    mia: sandbox.as(accounts.mia),
    ada,
    repository,
    openPull: async () => {
      await ada.push({ repository, branch: "parser", changes: { "a.txt": "one\ntwo\n" }, message: "Add a parser" });
      return ada.openPull({ repository, branch: "parser", base: "main", title: "Add a parser", body: "It reads." });
    },
  };
}
