import type { Guard } from "./guard.ts";

/** What may be believed of what was seen. */
export const observeGuards: readonly Guard[] = [
  {
    name: "stale-look-decides-nothing",
    why: "The past of the forge is taken for the present: a hold that was obeyed is not there.",
    file: "src/observe/observe.ts",
    text: 'if (judged.kind === "stale") return { kind: "stale", retryAt: judged.retryAt, why: judged.why };',
    instead: "",
    killedBy: {
      test: "test/scenarios/stale-reads.test.ts",
      because:
        "Within the forge's memory the oracle forgives whoever saw the past; the story knows that the hold was seen.",
    },
  },
  {
    name: "missing-remarks-are-doubted",
    why: "A replica that lags hides a hold or an objection, and what it forbade is done.",
    file: "src/observe/stale-read.ts",
    text: "const isMissing = before.remarks.some((id) => !present.has(id));",
    instead: "const isMissing = false;",
    killedBy: {
      test: "test/scenarios/stale-reads.test.ts",
      because:
        "Within the forge's memory the oracle forgives whoever saw the past; the story knows that the hold was seen.",
    },
  },
  {
    name: "deletion-is-believed-in-the-end",
    why: "One deleted comment and Drover never looks at the pull again.",
    file: "src/observe/stale-read.ts",
    text: "if (now >= believeAt) {",
    instead: "if (false) {",
  },
  {
    name: "interrupted-runs-are-noticed",
    why: "A worker that died between the record and the job leaves a review that runs for ever.",
    file: "src/observe/observe.ts",
    text: 'runs.push(isLost ? { ...run, state: { kind: "interrupted" } } : run);',
    instead: "runs.push(run);",
  },
  {
    name: "records-come-back-from-blocks",
    why: "After a lost database every command is obeyed again and every question answered twice.",
    file: "src/observe/observe.ts",
    text: ": markLost(restoreRecords(before.records, read.accepted, { isCut }), stored !== undefined);",
    instead: ": before.records;",
    killedBy: {
      test: "test/scenarios/database-gone.test.ts",
      because:
        "Marks keep Drover from saying things twice without its records too, so that what is lost shows only now and then.",
    },
  },
  {
    name: "run-without-its-findings-is-none",
    why: "Somebody deletes Drover's comments, pushes something harmless, and the next run of the CI calls a blocker late: green.",
    file: "src/core/blocks/records-from-blocks.ts",
    text: "isCut || isWholeRun(run, known) ? run : forgotten(run)",
    instead: "run",
    killedBy: {
      test: "src/core/blocks/records-from-blocks.test.ts",
      because:
        "Nobody deletes all of its comments by chance, and a forge rarely hides them from a run that remembers nothing.",
    },
  },
  {
    name: "blocks-of-own-account-only",
    why: "Anybody can write records into a comment of theirs.",
    file: "src/core/blocks/read-blocks.ts",
    text: 'if (text.author.id !== input.bot.id) return ["foreign_author"];',
    instead: "",
    killedBy: {
      test: "src/core/blocks/read-blocks.test.ts",
      because: "The MAC refuses what strangers make up, and what they copy says nothing new.",
    },
  },
  {
    name: "block-mac",
    why: "Whoever may edit the bot's comments edits its memory.",
    file: "src/core/blocks/read-blocks.ts",
    text: 'if (!isSameMac(mac, expected)) return "bad_mac";',
    instead: "",
    killedBy: {
      test: "src/core/blocks/read-blocks.test.ts",
      because:
        "Nobody in the simulated world edits the bot's own comments, and only a lost database makes it read them.",
    },
  },
  {
    name: "block-mac-names-the-pull",
    why: "A record that is true on one pull is made true on another by carrying it over.",
    file: "src/core/blocks/block-mac.ts",
    text: "    context.pull,\n",
    instead: "",
    killedBy: {
      test: "src/core/blocks/read-blocks.test.ts",
      because: "Blocks are only read from the bot's own texts, and nobody can make it write one there.",
    },
  },
  {
    name: "block-revisions",
    why: "An old state of a record, put back in place of the new one, is believed.",
    file: "src/core/blocks/read-blocks.ts",
    text: 'return read.block.revision < (known.get(blockKey(read.block)) ?? 0) ? "stale_revision" : read;',
    instead: "return read;",
    killedBy: {
      test: "src/core/blocks/read-blocks.test.ts",
      because: "Where the revision is known the record is in the database too, and the database is believed first.",
    },
  },
];
