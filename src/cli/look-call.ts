import { openLook, type PullLook } from "#app/run/open-look.ts";
import { findTarget, type TargetAsked } from "#app/run/run-target.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import { Rules } from "#core/model/rules.ts";

/** How `explain`, `watch` and `wait` are told which pull is meant. */
export interface LookCall extends Omit<TargetAsked, "config"> {
  readonly config: string | undefined;
  readonly isJson: boolean;
}

/** Looks at the pull that was named, each time anew. */
export async function lookerOf(call: LookCall, terminal: Terminal): Promise<() => Promise<PullLook>> {
  const config = await readRunFile(call.config, terminal);
  const { env, readFile } = terminal;
  try {
    const found = await findTarget({ ...call, config }, { env, readFile });
    if (found.kind === "no_pull") throw new UsageError(`${found.why}: say --pull N.`);
    return await openLook({ target: found.target, rules: config?.rules ?? Rules.parse({}), env });
  } catch (error) {
    throw toUsageError(error);
  }
}
