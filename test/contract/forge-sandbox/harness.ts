import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { instant, minuteMs } from "#core/model/instant.ts";
import { type Api, apiOf } from "#forges/sandbox/call-endpoint.ts";
import { openSandbox } from "#forges/sandbox/create-sandbox.ts";
import type {
  Sandbox,
  SandboxChange,
  SandboxDelivery,
  SandboxFault,
  SandboxManner,
  SandboxPerson,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import { defaultQuirks } from "#forges/sandbox/sandbox-quirks.ts";
import { createWorld } from "#forges/sandbox/world.ts";
import type { Forge, ReviewRemark } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import type { GitHost } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

/** A sandbox with one open pull by ada; mia owns the repository, rita may write, otto may read, drover has a token. */
export interface Harness {
  readonly sandbox: Sandbox;
  readonly git: Git;
  readonly accounts: Readonly<Record<Name, Account>>;
  readonly people: Readonly<Record<Name, SandboxPerson>>;
  readonly repository: RepositoryRef;
  readonly pull: PullRef;
  readonly head: HeadSha;
  readonly drover: Forge;
  /** The endpoints themselves, with drover's token. */
  readonly api: Api;
  readonly host: GitHost;
  readonly pass: (ms: number) => void;
  readonly now: () => number;
  /** What happens to the next call of this endpoint. */
  readonly spoil: (endpoint: string, fault: SandboxFault) => void;
}

type Name = "ada" | "rita" | "mia" | "otto" | "drover";

const files = { "a.txt": "one\ntwo\nthree\n", "long.txt": Array.from({ length: 50 }, (_, i) => `${i}\n`).join("") };

/** On the second line of a.txt, which the pull changes. */
export const remark: ReviewRemark = { path: "a.txt", side: "new", lines: { first: 2, last: 2 }, body: "Why?" };
/** Where the pull changes nothing. */
export const foreignRemark: ReviewRemark = { ...remark, path: "long.txt", lines: { first: 40, last: 40 } };

export async function openHarness(manner: SandboxManner, quirks: Partial<SandboxQuirks> = {}): Promise<Harness> {
  const hub = createMemoryHub();
  let now = 1_767_258_000_400;
  const spoilt = new Map<string, SandboxFault>();
  const host = createMemoryHost(hub);
  const world = createWorld({
    host,
    clock: { now: () => instant(now), sleep: async () => undefined },
    manner,
    quirks: { ...defaultQuirks[manner], ...quirks },
    faults: ({ endpoint }) => {
      const fault = spoilt.get(endpoint) ?? null;
      spoilt.delete(endpoint);
      return fault;
    },
  });
  const sandbox = openSandbox(world);
  const add = (login: Name, kind: Account["kind"] = "person"): Account => sandbox.addAccount({ login, kind });
  const accounts = {
    ada: add("ada"),
    rita: add("rita"),
    mia: add("mia"),
    otto: add("otto"),
    drover: add("drover", "bot"),
  };
  const repository = await sandbox.createRepository({ name: "mia/tools", by: accounts.mia, files });
  for (const account of [accounts.ada, accounts.rita, accounts.drover]) {
    sandbox.setPermission({ repository, account, permission: "write" });
  }
  const people = {
    ada: sandbox.as(accounts.ada),
    rita: sandbox.as(accounts.rita),
    mia: sandbox.as(accounts.mia),
    otto: sandbox.as(accounts.otto),
    drover: sandbox.as(accounts.drover),
  };
  const changes = { "a.txt": "one\nTWO\nthree\nfour\n" };
  const head = await people.ada.push({ repository, branch: "change", changes, message: "Change" });
  const opening = { repository, branch: "change", base: "main", title: "A change", body: "First." };
  const pull = await people.ada.openPull(opening);
  now += minuteMs;
  return {
    sandbox,
    git: createMemoryGit(hub),
    accounts,
    people,
    repository,
    pull,
    head,
    drover: sandbox.clientOf(accounts.drover),
    api: apiOf(world, accounts.drover),
    host,
    pass: (ms) => {
      now += ms;
    },
    now: () => now,
    spoil: (endpoint, fault) => {
      spoilt.set(endpoint, fault);
    },
  };
}

/** What happened since, by kind. */
export function kindsSince({ sandbox }: Harness, count: number): readonly SandboxChange["what"]["kind"][] {
  return sandbox.history.slice(count).map(({ what }) => what.kind);
}

export function namesOf(deliveries: readonly SandboxDelivery[]): readonly string[] {
  return deliveries.map(({ event, action }) => `${event}/${action}`);
}

export function pushTo({ people, repository }: Harness, path: string, content = `${path}\n`): Promise<HeadSha> {
  return people.ada.push({ repository, branch: "change", changes: { [path]: content }, message: path });
}
