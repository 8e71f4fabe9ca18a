import { minuteMs } from "#core/model/instant.ts";
import { createSandbox } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox, SandboxManner, SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub } from "#testing/memory-git/memory-hub.ts";
import { stillClock } from "#testing/still-clock.ts";
import { remarks } from "./scene.ts";
import type { ForgeWorld, Meddler } from "./world.ts";

/** The sandbox forge, on git in memory and on a clock that goes only when told to. */
export async function sandboxWorld(manner: SandboxManner, quirks: Partial<SandboxQuirks> = {}): Promise<ForgeWorld> {
  return openSandboxWorld(manner, quirks).world;
}

/** With the forge itself, for whoever reaches it by another way. */
export function openSandboxWorld(manner: SandboxManner, quirks: Partial<SandboxQuirks>): OpenedWorld {
  const hub = createMemoryHub();
  // Not a whole second: what is cut to seconds has to be seen to be.
  const clock = stillClock();
  let meddler: Meddler = leaveAlone;
  const sandbox = createSandbox({
    manner,
    host: createMemoryHost(hub),
    clock,
    quirks,
    faults: (call) => meddler(call),
  });
  const world: ForgeWorld = {
    git: createMemoryGit(hub),
    addAccount: async (made) => sandbox.addAccount(made),
    createRepository: (made) => sandbox.createRepository(made),
    setPermission: async (request) => sandbox.setPermission(request),
    as: (account) => sandbox.as(account),
    clientOf: (account, machineClock) => sandbox.clientOf(account, machineClock),
    look: async (pull) => sandbox.look(pull),
    now: clock.now,
    pass: async (ms) => clock.pass(ms),
    settle: async () => world.pass(minuteMs),
    meddle: (source) => {
      meddler = source;
    },
    // The half that a failed submission leaves behind where the quirk is on.
    leavePendingReview: async ({ pull, by }) => {
      const head = sandbox.look(pull).pull.head.sha;
      meddler = ({ isWrite }) => (isWrite ? { kind: "server_error", isApplied: true } : null);
      const submission = { pull, head, event: "comment", body: "Half.", remarks: [remarks.context] } as const;
      await sandbox
        .clientOf(by)
        .submitReview(submission)
        .catch(() => undefined);
      meddler = leaveAlone;
    },
    close: async () => undefined,
  };
  return { sandbox, world };
}

interface OpenedWorld {
  readonly sandbox: Sandbox;
  readonly world: ForgeWorld;
}

function leaveAlone(): null {
  return null;
}
