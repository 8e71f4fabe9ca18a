import type { PullInspection } from "#app/run/read-only-observer.ts";
import { type PullCall, unreachableExitCode, withLooker } from "#cli/pull-call.ts";
import { readDuration } from "#cli/read-duration.ts";
import type { Terminal } from "#cli/terminal.ts";
import { approvalWords } from "#core/words/approval-words.ts";

export interface WaitCall extends PullCall {
  readonly timeout?: string | undefined;
  readonly interval: string;
}

/** For a forge that cannot be read, and with it the rules. */
const timeoutUsual = "2h";

/** SPEC 7.5. 1: never to be approved, or the forge refuses us. An unreachable forge leaves the decision unknown. */
const exitCodes = {
  approved: 0,
  failed: 1,
  closed: 1,
  changes_requested: 3,
  timeout: 4,
  unreachable: unreachableExitCode,
} as const;

interface Waited {
  readonly status: keyof typeof exitCodes;
  readonly why: string;
}

/** Reads only. Without `--timeout` the time-out of the rules ends the wait; with it, the caller's time from now. */
export async function wait(call: WaitCall, terminal: Terminal): Promise<number> {
  const isOwnTime = call.timeout !== undefined;
  const askedMs = readDuration("--timeout", call.timeout ?? timeoutUsual);
  const intervalMs = readDuration("--interval", call.interval);
  return await withLooker(call, terminal, async (look) => {
    let waitedMs = 0;
    let looked = await look();
    let timeoutMs = askedMs;
    while (judge(looked, isOwnTime) === null) {
      // A draft has no time-out, and neither has a head of unknown age.
      if (!isOwnTime && looked.kind === "seen") timeoutMs = looked.seen.rules.approval.timeoutMs;
      if (waitedMs >= timeoutMs) break;
      if (looked.kind === "not_now") terminal.err(`drover: ${looked.why}; trying again\n`);
      const ms = Math.min(intervalMs, timeoutMs - waitedMs);
      await terminal.sleep(ms);
      waitedMs += ms;
      looked = await look();
    }
    const { status, why } = judge(looked, isOwnTime) ?? outOfTime(looked);
    terminal.out(
      call.json === true ? `${JSON.stringify({ status, why, exit_code: exitCodes[status] })}\n` : `${status}: ${why}\n`,
    );
    return exitCodes[status];
  });
}

function outOfTime(looked: PullInspection): Waited {
  if (looked.kind === "not_now" && looked.isUnreached) return { status: "unreachable", why: looked.why };
  return { status: "timeout", why: `no decision before the timeout${lackOf(looked)}` };
}

function lackOf(looked: PullInspection): string {
  if (looked.kind !== "seen") return `; the last look failed: ${looked.why}`;
  const { approval } = looked.situation;
  const isUnknown = approval.missing.some(({ kind }) => kind !== "approvals" && kind !== "code_owners");
  return isUnknown ? `; ${approvalWords(approval)}` : "";
}

function judge(looked: PullInspection, isOwnTime: boolean): Waited | null {
  if (looked.kind === "failed") return { status: "failed", why: looked.why };
  if (looked.kind === "not_now") return null;
  const { seen, situation } = looked;
  if (seen.pull.state === "merged") return { status: "approved", why: "it is merged" };
  if (seen.pull.state === "closed") return { status: "closed", why: "it was closed without being merged" };
  const { approval } = situation;
  const { status } = approval.status === "timeout" && isOwnTime ? approval.why.before : approval;
  if (status === "in_progress" || status === "pending") return null;
  const advice = status === "timeout" ? "; --timeout waits longer" : "";
  return { status, why: `${approvalWords(approval)}${advice}` };
}
