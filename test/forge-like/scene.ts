import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { type Instant, instant, minuteMs } from "#core/model/instant.ts";
import type { AnsweredJson } from "#forge-like/answered-json.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type {
  Sandbox,
  SandboxFaultSource,
  SandboxManner,
  SandboxPerson,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";

/** A forge with one open pull by ada; mia owns the repository, ada, rita and drover may write, otto may read. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly accounts: Readonly<Record<"ada" | "rita" | "mia" | "otto" | "drover", Account>>;
  readonly ada: SandboxPerson;
  readonly rita: SandboxPerson;
  readonly repository: RepositoryRef;
  readonly pull: PullRef;
  readonly head: HeadSha;
  readonly now: () => Instant;
  readonly pass: (ms: number) => void;
  readonly spoil: (source: SandboxFaultSource) => void;
}

export async function openScene(manner: SandboxManner, quirks: Partial<SandboxQuirks>): Promise<Scene> {
  let now = instant(1_767_258_000_400);
  let source: SandboxFaultSource = leaveAlone;
  const sandbox = createSandbox({
    manner,
    host: createMemoryHost(createMemoryHub()),
    clock: { now: () => now, sleep: async () => undefined },
    quirks,
    faults: (call) => source(call),
  });
  const add = (login: string, kind: Account["kind"] = "person"): Account => sandbox.addAccount({ login, kind });
  const accounts = {
    ada: add("ada"),
    rita: add("rita"),
    mia: add("mia"),
    otto: add("otto"),
    drover: add("drover", "bot"),
  };
  const files = { "a.txt": "one\ntwo\nthree\n", "b/c.txt": "untouched\n" };
  const repository = await sandbox.createRepository({ name: "mia/tools", by: accounts.mia, files });
  for (const account of [accounts.ada, accounts.rita, accounts.drover]) {
    sandbox.setPermission({ repository, account, permission: "write" });
  }
  const ada = sandbox.as(accounts.ada);
  const changes = { "a.txt": "one\nTWO\nthree\n" };
  const head = await ada.push({ repository, branch: "change", changes, message: "Change" });
  const pull = await ada.openPull({ repository, branch: "change", base: "main", title: "A change", body: "First." });
  now = instant(now + minuteMs);
  return {
    sandbox,
    accounts,
    ada,
    rita: sandbox.as(accounts.rita),
    repository,
    pull,
    head,
    now: () => now,
    pass: (ms) => {
      now = instant(now + ms);
    },
    spoil: (next) => {
      source = next;
    },
  };
}

function leaveAlone(): null {
  return null;
}

/** What a served forge answered to one request. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnsweredJson;
}

export async function askForge(
  url: string,
  {
    method,
    body,
    headers,
  }: { readonly method: string; readonly body?: unknown; readonly headers: Readonly<Record<string, string>> },
): Promise<Told> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
