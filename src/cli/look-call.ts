import { type Looker, openLook, type PullLook } from "#app/run/open-look.ts";
import { findTarget, type TargetAsked } from "#app/run/run-target.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import { Rules } from "#core/model/rules.ts";

/** How `explain`, `watch` and `wait` are told which pull is meant. */
export interface LookCall extends Omit<TargetAsked, "config"> {
  readonly config: string | undefined;
  readonly isJson: boolean;
  /** Drover's account, by id or login. */
  readonly bot: string | undefined;
}

/** Of `wait` and `watch`, where the forge could not be reached in the end. */
export const unreachableExitCode = 5;

/** Looks at the pull that was named, each time anew. Which accounts are in doubt is said once. */
export async function withLooker(
  call: LookCall,
  terminal: Terminal,
  use: (look: () => Promise<PullLook>) => Promise<number>,
): Promise<number> {
  const looker = await openLooker(call, terminal);
  let isTold = false;
  try {
    return await use(async () => {
      const looked = await looker.look();
      if (looked.kind === "seen" && looked.doubtful.length > 0 && !isTold) {
        isTold = true;
        terminal.err(`drover: ${doubtWords(looked)}\n`);
      }
      return looked;
    });
  } finally {
    await looker.close();
  }
}

function doubtWords({ seen, doubtful }: Extract<PullLook, { readonly kind: "seen" }>): string {
  const others = doubtful.map(({ login }) => login).join(", ");
  return `several accounts write as Drover does: ${seen.bot.login}, ${others}. No approval of theirs counts. Say --bot LOGIN if you know which one it is.`;
}

async function openLooker(call: LookCall, terminal: Terminal): Promise<Looker> {
  const config = await readRunFile(call.config, terminal);
  const { env, readFile, searchPath } = terminal;
  try {
    const found = await findTarget({ ...call, config }, { env, readFile });
    if (found.kind === "no_pull") throw new UsageError(`${found.why}: say --pull N.`);
    const rules = config?.rules ?? Rules.parse({});
    return await openLook({ target: found.target, rules, bot: call.bot, env, searchPath });
  } catch (error) {
    throw toUsageError(error);
  }
}
