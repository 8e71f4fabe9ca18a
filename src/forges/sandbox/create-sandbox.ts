import type { Account } from "#core/model/account.ts";
import { AccountId, RepositoryId } from "#core/model/ids.ts";
import { apiOf, serveCall } from "#forges/sandbox/call-endpoint.ts";
import { inspectPull } from "#forges/sandbox/inspect-pull.ts";
import { personOf } from "#forges/sandbox/person.ts";
import { commitOn, mainBranch, moveBranch } from "#forges/sandbox/push-branch.ts";
import type { Sandbox, SandboxFaultSource, SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { createSandboxClient } from "#forges/sandbox/sandbox-client.ts";
import { defaultQuirks } from "#forges/sandbox/sandbox-quirks.ts";
import { createWorld, entryOf, type Repository, repositoryOf, type World } from "#forges/sandbox/world.ts";
import type { Clock } from "#ports/clock.ts";
import { usualGateName } from "#ports/forge.ts";
import type { GitHost } from "#ports/git-host.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export interface SandboxOptions {
  readonly host: GitHost;
  readonly clock: Clock;
  readonly manner: SandboxManner;
  readonly quirks?: Partial<SandboxQuirks>;
  readonly faults?: SandboxFaultSource;
}

export function createSandbox({ host, clock, manner, quirks, faults = () => null }: SandboxOptions): Sandbox {
  return openSandbox(createWorld({ host, clock, manner, faults, quirks: { ...defaultQuirks[manner], ...quirks } }));
}

export function openSandbox(world: World): Sandbox {
  return {
    manner: world.manner,
    addAccount: ({ login, kind }) => {
      const account: Account = { id: AccountId.parse(world.nextId()), login, kind };
      world.accounts.set(account.id, account);
      return account;
    },
    createRepository: (made) => world.inTurn(() => createRepository(world, made)),
    setPermission: ({ repository, account, permission }) => {
      repositoryOf(world, repository).permissions.set(account.id, permission);
    },
    as: (account) => personOf(world, account),
    clientOf: (account, clock = world.clock, gateName = usualGateName) =>
      createSandboxClient({
        caller: { api: apiOf(world, account), clock },
        manner: world.manner,
        quirks: world.quirks,
        account,
        gateName,
      }),
    serve: (asked, work) => serveCall(world, asked, work),
    look: (pull) => inspectPull(world, entryOf(world, pull)),
    history: world.history,
    subscribe: (listener) => {
      world.listeners.push(listener);
    },
    deliveries: world.deliveries,
    redeliver: (id) => redeliver(world, id),
  };
}

async function createRepository(
  world: World,
  { name, by, files }: Parameters<Sandbox["createRepository"]>[0],
): Promise<RepositoryRef> {
  const { host } = world;
  await host.createRepository(name);
  const ref = { id: RepositoryId.parse(world.nextId()), name };
  const repository: Repository = {
    ref,
    permissions: new Map([[by.id, "admin"]]),
    tips: new Map(),
    pulls: new Map(),
    statuses: new Map(),
    commits: new Map(),
    mergeable: new Map(),
    diffs: new Map(),
    lastGivenTo: by,
  };
  world.repositories.set(ref.id, repository);
  const made = { parent: undefined, changes: files, message: "Begin" };
  const commit = await commitOn(world, repository, { by, made });
  await moveBranch(world, repository, { by, branch: mainBranch, to: commit });
  return ref;
}

function redeliver({ manner, deliveries, listeners }: World, id: string): void {
  if (manner === "gitea") throw new Error("Gitea does not redeliver");
  const delivery = deliveries.find((candidate) => candidate.id === id);
  if (delivery === undefined) throw new Error(`there was no delivery ${id}`);
  for (const listener of listeners) listener(delivery);
}
