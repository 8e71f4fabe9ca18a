import type { PullContext } from "#act/pull-context.ts";
import { withoutBlocks } from "#core/blocks/encode-block.ts";
import type { Remark } from "#core/derive/remarks.ts";
import { remarksOf } from "#core/derive/remarks.ts";
import { decodeText } from "#core/diff/decode-text.ts";
import type { Account } from "#core/model/account.ts";
import type { Comment, Thread } from "#core/model/conversation.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Finding } from "#core/model/finding.ts";
import { type CommentId, Untrusted } from "#core/model/ids.ts";
import { type LazyComparison, orIfGitFails } from "#jobs/lazy-comparison.ts";
import { code, conversationData } from "#jobs/prompts.ts";
import type { PromptPart } from "#ports/agent.ts";

export function findWording(
  { seen }: Pick<PullContext, "seen">,
  wording: { readonly comment: CommentId; readonly revision: string },
): Remark | undefined {
  return remarksOf(seen).find(
    ({ comment }) => comment.id === wording.comment && digestOf(comment.body) === wording.revision,
  );
}

const remarksMax = 100;
const remarkCharactersMax = 4_000;
/** For all remarks together: flooding a pull must not make every further answer more expensive. */
const saidCharactersMax = 100_000;

export function aboutData({ seen }: Pick<PullContext, "seen">): readonly PromptPart[] {
  const { title, body } = seen.pull;
  return [
    conversationData("the title of the pull", title),
    conversationData("the description of the pull", Untrusted.parse(cut(body))),
  ];
}

/** In the same place, untagged remarks included. Others wrote all of it. */
export function saidData({ seen }: Pick<PullContext, "seen">, thread: Thread | null): readonly PromptPart[] {
  const said = remarksOf(seen).filter((remark) => remark.thread?.id === thread?.id);
  const text = newest(
    said.slice(-remarksMax).map((remark) => lineOf(remark, seen.bot)),
    saidCharactersMax,
  ).join("\n\n");
  return [conversationData(thread === null ? "the conversation" : "the thread", Untrusted.parse(text))];
}

/** Without Drover's own texts: they quote others, and would make the whole prompt suspect. */
export function elsewhereData({ seen }: Pick<PullContext, "seen">, thread: Thread | null): readonly PromptPart[] {
  const said = remarksOf(seen).filter(
    ({ comment, ...remark }) => remark.thread?.id !== thread?.id && comment.author.id !== seen.bot.id,
  );
  const lines = said.slice(-elsewhereMax).map((remark) => {
    const place = remark.thread === null ? "in the conversation" : `on ${remark.thread.path}`;
    return `(${place}) ${lineOf(remark, seen.bot)}`;
  });
  if (lines.length === 0) return [];
  return [
    conversationData("said elsewhere on the pull", Untrusted.parse(newest(lines, elsewhereCharactersMax).join("\n\n"))),
  ];
}

const elsewhereMax = 50;
const elsewhereCharactersMax = 20_000;

/** Further lines are indented, or a remark could go on in the name of another person. */
function lineOf({ comment }: Remark, bot: Account): string {
  return `${comment.author.login}: ${cut(wordsOf(comment, bot)).replace(/\r\n?|\n/g, "\n  ")}`;
}

function newest(said: readonly string[], charactersMax: number): readonly string[] {
  let room = charactersMax;
  const first = said.findLastIndex((remark) => {
    room -= remark.length;
    return room < 0;
  });
  return first === -1 ? said : ["(what was said before is left out)", ...said.slice(first + 1)];
}

/** Drover's blocks and marks mean nothing to a model, and look like a hidden message. */
function wordsOf({ author, body }: Comment, bot: Account): string {
  return author.id === bot.id ? withoutBlocks(body).replace(/^<!-- drover:[^\n]* -->\n/gm, "") : body;
}

function cut(text: string): string {
  return text.length > remarkCharactersMax ? `${text.slice(0, remarkCharactersMax)}…` : text;
}

export function findingData(finding: Finding): readonly PromptPart[] {
  const { path, lines, rule, score, message, assessment, snippet } = finding;
  const head = `${path}, lines ${lines.first} to ${lines.last}, rule ${rule}, score ${score} of 10`;
  return [
    conversationData("the finding", Untrusted.parse([head, message, assessment].join("\n\n"))),
    ...(snippet === "" ? [] : [code("the lines of the finding", Untrusted.parse(snippet))]),
  ];
}

const fileBytesMax = 1_000_000;
const linesAround = 60;
/** A line can be as large as its file. */
const lineCharactersMax = 500;

export async function codeData(compare: LazyComparison, thread: Thread | null): Promise<readonly PromptPart[]> {
  if (thread === null) return [];
  return await orIfGitFails(async () => {
    const compared = await compare();
    const { path } = thread;
    const read = await compared?.mirror.readFile({ commit: compared.head, path, bytesMax: fileBytesMax });
    if (read?.kind !== "file") return [];
    const lines = decodeText(read.bytes).split("\n");
    const line = thread.line ?? 1;
    const from = Math.max(0, line - linesAround);
    const shown = lines
      .slice(from, line + linesAround)
      .map((text, index) => `${from + index + 1}: ${text.slice(0, lineCharactersMax)}`);
    return [code(`the code around line ${line} of its file`, Untrusted.parse(shown.join("\n")))];
  }, []);
}
