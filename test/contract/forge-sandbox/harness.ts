import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import { type Api, apiOf } from "#forges/sandbox/call-endpoint.ts";
import { defaultQuirks, openSandbox } from "#forges/sandbox/create-sandbox.ts";
import type {
  Sandbox,
  SandboxChange,
  SandboxDelivery,
  SandboxFault,
  SandboxManner,
  SandboxPerson,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import { createWorld } from "#forges/sandbox/world.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { Forge, ReviewRemark } from "#ports/forge.ts";
import type { Git } from "#ports/git.ts";
import type { GitHost } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { stillClock } from "#testing/still-clock.ts";

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
  const clock = stillClock();
  const spoilt = new Map<string, SandboxFault>();
  const host = createMemoryHost(hub);
  const world = createWorld({
    host,
    clock,
    manner,
    quirks: { ...defaultQuirks[manner], ...quirks },
    faults: ({ endpoint }) => {
      const fault = spoilt.get(endpoint) ?? null;
      spoilt.delete(endpoint);
      return fault;
    },
  });
  const forge = await openTestForge({
    sandbox: openSandbox(world),
    clock,
    files,
    people: { ada: "write", rita: "write", mia: "owner", otto: "stranger", drover: { kind: "bot", may: "write" } },
  });
  const { sandbox, accounts } = forge;
  const opening = { branch: "change", files: { "a.txt": "one\nTWO\nthree\nfour\n" }, body: "First." };
  const pull = await forge.openPull(opening);
  clock.pass(minuteMs);
  return {
    ...forge,
    git: createMemoryGit(hub),
    pull,
    head: sandbox.look(pull).pull.head.sha,
    drover: sandbox.clientOf(accounts.drover),
    api: apiOf(world, accounts.drover),
    host,
    pass: clock.pass,
    now: clock.now,
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
