import type { Account } from "#core/model/account.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { Sandbox, SandboxManner, SandboxPerson, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { openTestForge } from "#harness/test-forge.ts";
import type { Clock } from "#ports/clock.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { stillClock } from "#testing/still-clock.ts";

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
  const still = stillClock(1_767_258_000_000);
  // Each look at it is a little later: what happens has an order.
  const now: Clock["now"] = () => (still.pass(minuteMs), still.now());
  const clock = { ...still, now };
  const people = { mia: "owner", ada: "write", drover: { kind: "bot", may: "write" } } as const;
  const {
    people: { mia, ada },
    openPull,
    ...forge
  } = await openTestForge({ manner, clock, quirks, people });
  const opening = { branch: "parser", files: { "a.txt": "one\ntwo\n" }, title: "Add a parser", body: "It reads." };
  return { ...forge, clock, mia, ada, openPull: () => openPull(opening) };
}
