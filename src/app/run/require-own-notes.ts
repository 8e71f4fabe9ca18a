import { secretVariable } from "#app/serve/block-secret-file.ts";
import { StartError } from "#app/start-error.ts";
import { areNotesForeign, createBlockReader } from "#observe/own-blocks.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { ForgeError } from "#ports/forge.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";

/** Without belief in its notes Drover would make every review, answer and fix again, so it stops before it writes. */
export async function requireOwnNotes(dependencies: Dependencies, pull: PullRef): Promise<void> {
  try {
    const seen = await dependencies.forge.fetchPull(pull);
    const { bot } = await dependencies.forge.fetchIdentity();
    const { reviews } = await dependencies.rulesOf(seen.pull);
    const read = createBlockReader(dependencies).read(seen, {
      bot,
      key: pullKeyOf(dependencies.instance, pull),
      blocks: {},
    });
    const roles = new Set(reviews.roles.map(({ name }) => name));
    if (areNotesForeign(seen, { bot, read, roles })) throw new StartError(foreignNotesWords(bot.login));
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
  }
}

export function foreignNotesWords(login: string): string {
  return [
    `the notes of ${login} on this pull were signed with another secret, so Drover cannot believe them: it would repeat reviews, answers and fixes.`,
    `Set ${secretVariable} to the secret that signed them. A server keeps its own in the file "secret" of its data folder. Where none is set, it is derived from the token or key of the forge, which may have been replaced.`,
    "The name of the forge in the configuration is part of the signature: give the same --config.",
    "To start from the beginning on purpose, and keep the old notes as they are, use --anew (the Action: the input anew).",
  ].join("\n");
}
