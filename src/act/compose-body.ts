import { changeContent, type PullContext } from "#act/pull-context.ts";
import { type Block, type BlockContent, blockKey, makeBlock } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import type { BlockContext } from "#core/blocks/block-mac.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { encodeBlocks, rolesLines } from "#core/blocks/encode-block.ts";
import { markOf, writeMark } from "#core/effects/effect-mark.ts";
import { limits } from "#core/model/limits.ts";
import { type Sentinel, writeSentinel } from "#core/words/sentinel.ts";
import type { PullContent } from "#ports/store.ts";

export interface BotText {
  readonly mark: { readonly effect: string } | { readonly kept: string } | null;
  readonly sentinel?: Sentinel;
  readonly firstLine?: string;
  readonly words: string;
  readonly blocks: readonly BlockContent[];
}

/** Marks first, since a forge may cut the end; then the words; state blocks folded up last. */
export async function composeBody(context: PullContext, body: BotText): Promise<string> {
  const head = [
    ...(body.firstLine === undefined ? [] : [body.firstLine]),
    ...(body.sentinel === undefined ? [] : [writeSentinel(body.sentinel)]),
    ...(body.mark === null ? [] : [markLine(context, body.mark)]),
  ];
  const text = [...head, body.words].join("\n");
  const blocks = await writeBlocks(context, body.blocks, limits.bodyCharactersMax - text.length);
  return blocks === "" ? text : `${text}\n\n${blocks}`;
}

function markLine(context: PullContext, mark: NonNullable<BotText["mark"]>): string {
  return writeMark(
    "kept" in mark ? mark.kept : markOf(mark.effect, blockContextOf(context), context.dependencies.secret),
  );
}

export function blockContextOf({ dependencies, ref }: Pick<PullContext, "dependencies" | "ref">): BlockContext {
  return { instance: dependencies.instance, repository: ref.repository.id, pull: ref.number };
}

/** What does not fit is logged: the store has it too. */
async function writeBlocks(context: PullContext, contents: readonly BlockContent[], room: number): Promise<string> {
  const roles = context.seen.rules.reviews.roles.map(({ name }) => name);
  const fitting = asManyAsFit(
    contents.map(context.blocks.fit).filter((content) => content !== null),
    room - rolesLines(roles).join("").length,
  );
  if (fitting.length < contents.length)
    context.dependencies.log.warn({ pull: context.key }, "a state block is too large to be written");
  if (fitting.length === 0) return "";
  const encoded = encodeBlocks(await reviseBlocks(context, fitting), blockContextOf(context), {
    secret: context.dependencies.secret,
    roles,
  });
  if (encoded.kind === "encoded") return encoded.text;
  context.dependencies.log.warn({ pull: context.key, why: encoded.kind }, "state blocks did not fit");
  return "";
}

/** Around each block: fence, MAC and revision; and once around all of them. */
const wrapCharacters = 160;

/** A forge refuses a longer text, and with it the words. */
function asManyAsFit(contents: readonly BlockContent[], room: number): readonly BlockContent[] {
  let left = room - wrapCharacters;
  return contents.slice(0, blockLimits.blocksPerTextMax).filter((content) => {
    const size = (canonicalJson(makeBlock(content, 0))?.length ?? 0) + wrapCharacters;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** New revisions are stored before the text is sent, so that none is given twice, even if the text is lost. */
async function reviseBlocks(context: PullContext, contents: readonly BlockContent[]): Promise<readonly Block[]> {
  let blocks: readonly Block[] = [];
  await changeContent(context, (content) => {
    const revised = contents.map((one) => revise(context, one, content.blocks));
    blocks = revised.map(({ block }) => block);
    const isNew = revised.some(({ block, remembered }) => content.blocks[blockKey(block)] !== remembered);
    if (!isNew) return content;
    const added = Object.fromEntries(revised.map(({ block, remembered }) => [blockKey(block), remembered]));
    return { ...content, blocks: { ...content.blocks, ...added } };
  });
  return blocks;
}

function revise(
  context: PullContext,
  content: BlockContent,
  known: PullContent["blocks"],
): { readonly block: Block; readonly remembered: PullContent["blocks"][string] } {
  const last = known[blockKey(makeBlock(content, 0))];
  const digest = context.blocks.digest(content);
  const remembered = last?.digest === digest ? last : { revision: (last?.revision ?? 0) + 1, digest };
  return { block: makeBlock(content, remembered.revision), remembered };
}
