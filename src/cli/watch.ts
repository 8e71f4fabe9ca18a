import { type PullCall, unreachableExitCode, withLooker } from "#cli/pull-call.ts";
import { newsOf, type PullNews, transitionsOf } from "#cli/pull-changes.ts";
import { readDuration } from "#cli/read-duration.ts";
import type { Terminal } from "#cli/terminal.ts";
import { minuteMs } from "#core/model/instant.ts";

export interface WatchCall extends PullCall {
  readonly interval: string;
}

/** A forge that is being restarted is back by then. */
const unreachedMsMax = 10 * minuteMs;

/** `drover watch`: says each change once, until the pull is merged or closed. Reads only. */
export async function watch(call: WatchCall, terminal: Terminal): Promise<number> {
  const intervalMs = readDuration("--interval", call.interval);
  return await withLooker(call, terminal, async (look) => {
    let before: PullNews | null = null;
    let unreachedMs = 0;
    for (;;) {
      const looked = await look();
      if (looked.kind === "failed") {
        terminal.err(`drover: ${looked.why}\n`);
        return 1;
      }
      const isUnreached = looked.kind === "not_now" && looked.isUnreached;
      if (isUnreached && unreachedMs >= unreachedMsMax) {
        terminal.err(`drover: ${looked.why}; it was tried for ${unreachedMs / minuteMs} minutes\n`);
        return unreachableExitCode;
      }
      unreachedMs = isUnreached ? unreachedMs + intervalMs : 0;
      if (looked.kind === "not_now") terminal.err(`drover: ${looked.why}; trying again\n`);
      else {
        const { seen, situation } = looked;
        const news = newsOf(seen, situation);
        for (const change of transitionsOf(before, news, seen)) {
          const { what, from, to, at } = change;
          const words = from === null ? to : `${from} → ${to}`;
          terminal.out(call.json === true ? `${JSON.stringify(change)}\n` : `${at} ${what.padEnd(9)}${words}\n`);
        }
        before = news;
        if (seen.pull.state !== "open") return 0;
      }
      await terminal.sleep(intervalMs);
    }
  });
}
