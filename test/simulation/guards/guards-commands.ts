import type { Guard } from "./guard.ts";

/** Who is obeyed, and whose words are words only. */
export const commandGuards: readonly Guard[] = [
  {
    name: "command-permission",
    why: "Anybody who can comment can merge.",
    file: "src/core/commands/command-permission.ts",
    text: 'return { kind: "refused", why: permission === "undetermined" ? "undetermined" : "needs_write" };',
    instead: 'return { kind: "allowed" };',
  },
  {
    name: "author-may-not-merge",
    why: "The author of a pull from outside merges it.",
    file: "src/core/commands/command-permission.ts",
    text: "if (author.id === asked.pullAuthor.id && authorWords.has(asked.word)) return",
    instead: "if (author.id === asked.pullAuthor.id) return",
  },
  {
    name: "other-bots-are-not-heard",
    why: "Two bots that answer each other never stop.",
    file: "src/core/commands/command-permission.ts",
    text: 'if (author.kind === "bot" && !asked.trustedBots.includes(author.id)) return { kind: "ignored", why: "other_bot" };',
    instead: "",
  },
  {
    name: "quoted-commands-are-inert",
    why: "Quoting a command gives it again.",
    file: "src/core/commands/read-address.ts",
    text: "for (const mention of livePlaces(mentions, inert)) {",
    instead: "for (const mention of mentions) {",
  },
  {
    name: "strangers-are-not-answered",
    why: "Anybody has Drover talk, at the cost of whoever pays for the model.",
    file: "src/core/derive/people.ts",
    text: '(seen.rules.conversation.answers === "everyone" || isAuthor(account.id) || isWriter(account.id));',
    instead: "true;",
  },
  {
    name: "merge-command-is-for-its-head",
    why: "A merge that somebody asked for takes what was pushed after they asked.",
    file: "src/core/derive/flight-plan.ts",
    text: "last.isWriter && last.head === heads.current ?",
    instead: "last.isWriter ?",
  },
  {
    name: "command-in-the-second-of-a-push",
    why: "A push in the same second as the command is taken for what its author saw.",
    file: "src/core/commands/head-at.ts",
    text: "if (head.since < at && (",
    instead: "if (head.since <= at + 999 && (",
    killedBy: {
      test: "src/core/commands/head-at.test.ts",
      because: "Push and command have to fall into the same second, and into this order.",
    },
  },
  {
    name: "hold",
    why: "Somebody said to wait, and it is merged.",
    file: "src/core/derive/flight-plan.ts",
    text: "    isFree(context.hold),\n",
    instead: "",
  },
  {
    name: "suppression",
    why: "A head is read, and paid for, although somebody switched reviews off.",
    file: "src/core/derive/review-need.ts",
    text: 'if (context.suppression.kind !== "enabled") return { kind: "not_wanted", why: "suppressed" };',
    instead: "",
  },
  {
    name: "marker-in-the-description",
    why: "What the author wrote into the description is overlooked.",
    file: "src/core/derive/suppression.ts",
    text: "const marker = markerStep(seen, context.people);",
    instead: "const marker: Step | null = null as Step | null;",
  },
  {
    name: "waiver-needs-write",
    why: "Anybody waives a blocker by saying so in its thread.",
    file: "src/core/review/dispute-outcome.ts",
    text: 'return permission === "write" || permission === "admin" ? "granted" : "waiver_needs_write";',
    instead: 'return "granted";',
    killedBy: {
      test: "src/core/review/dispute-outcome.test.ts",
      because: "A stranger has to ask for a waiver of a grave finding on a pull that lacks nothing else.",
    },
  },
  {
    name: "grave-findings-need-a-person",
    why: "A model that was talked into it gives up a blocker that only a person may.",
    file: "src/core/review/dispute-outcome.ts",
    text: "if (score > concedableScoreMax)",
    instead: "if (false)",
  },
];
