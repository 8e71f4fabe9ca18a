import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { type Instant, minuteMs } from "#core/model/instant.ts";
import type { AnsweredJson } from "#forge-like/answered-json.ts";
import type {
  Sandbox,
  SandboxFaultSource,
  SandboxManner,
  SandboxPerson,
  SandboxQuirks,
} from "#forges/sandbox/sandbox.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { stillClock } from "#testing/still-clock.ts";

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
  let source: SandboxFaultSource = leaveAlone;
  const clock = stillClock();
  const { openPull, people, ...forge } = await openTestForge({
    manner,
    clock,
    quirks,
    faults: (call) => source(call),
    files: { "a.txt": "one\ntwo\nthree\n", "b/c.txt": "untouched\n" },
    people: { ada: "write", rita: "write", mia: "owner", otto: "stranger", drover: { kind: "bot", may: "write" } },
  });
  const pull = await openPull({ branch: "change", files: { "a.txt": "one\nTWO\nthree\n" }, body: "First." });
  clock.pass(minuteMs);
  return {
    ...forge,
    ada: people.ada,
    rita: people.rita,
    pull,
    head: forge.sandbox.look(pull).pull.head.sha,
    now: clock.now,
    pass: clock.pass,
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
