import {
  type Looker,
  type NotesTrust,
  openReadOnlyObserver,
  type PullInspection,
} from "#app/run/read-only-observer.ts";
import { foreignNotesWords } from "#app/run/require-own-notes.ts";
import { findTarget, type TargetAsked } from "#app/run/run-target.ts";
import { secretVariable } from "#app/serve/block-secret-file.ts";
import { readRunFile } from "#cli/read-run-file.ts";
import { type Terminal, toUsageError, UsageError } from "#cli/terminal.ts";
import { Rules } from "#core/model/rules.ts";

export interface PullCall extends Omit<TargetAsked, "config"> {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
  readonly bot?: string | undefined;
  /** For notes that another secret signed: no answer is better than a wrong one. */
  readonly refusesOtherSecret?: boolean;
}

export const unreachableExitCode = 5;

export async function withLooker(
  call: PullCall,
  terminal: Terminal,
  use: (look: () => Promise<PullInspection>) => Promise<number>,
): Promise<number> {
  const looker = await openLooker(call, terminal);
  const told = new Set<string>();
  try {
    return await use(async () => {
      const looked = await looker.look();
      if (looked.kind === "seen" && looked.notes === "other_secret" && call.refusesOtherSecret === true) {
        throw new UsageError(foreignNotesWords(looked.seen.bot.login));
      }
      for (const words of looked.kind === "seen" ? warningsOf(looked) : []) {
        if (!told.has(words)) terminal.err(`drover: ${words}\n`);
        told.add(words);
      }
      return looked;
    });
  } finally {
    await looker.close();
  }
}

type SeenPull = Extract<PullInspection, { readonly kind: "seen" }>;

function warningsOf({ seen, doubtful, notes }: SeenPull): readonly string[] {
  const { login } = seen.bot;
  const others = doubtful.map((account) => account.login).join(", ");
  const doubt = `several accounts write as Drover does: ${login}, ${others}. No approval of theirs counts. Say --bot LOGIN if you know which one it is.`;
  return [...(doubtful.length === 0 ? [] : [doubt]), ...notesWarnings[notes].map((words) => words(login))];
}

const notesWarnings: Readonly<Record<NotesTrust, readonly ((login: string) => string)[]>> = {
  believed: [],
  other_secret: [
    (login) =>
      `the notes of ${login} on this pull were signed with another secret than ${secretVariable}, so what they say is not known here. ${unknownWords}`,
  ],
  unchecked: [
    (login) =>
      `the signatures of ${login}'s notes on this pull could not be checked, because ${secretVariable} is not set: what they say is not known here. ${unknownWords} Set ${secretVariable} to the secret that signed them.`,
  ],
};

const unknownWords =
  "Finished work may be shown as still to be done, and an approval that was kept through a rebase as lost.";

async function openLooker(call: PullCall, terminal: Terminal): Promise<Looker> {
  const config = await readRunFile(call.config, terminal);
  const { env, readFile, searchPath } = terminal;
  try {
    const found = await findTarget({ ...call, config }, { env, readFile });
    if (found.kind === "no_pull") throw new UsageError(`${found.why}: use --pull N.`);
    const rules = config?.rules ?? Rules.parse({});
    return await openReadOnlyObserver({ target: found.target, rules, bot: call.bot, env, searchPath });
  } catch (error) {
    throw toUsageError(error);
  }
}
