import { type Block, type BlockContent, blockKey, makeBlock } from "#core/blocks/block.ts";
import { blocksOf } from "#core/blocks/blocks-from-records.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import type { CommentId } from "#core/model/ids.ts";
import type { Records } from "#core/model/records.ts";
import type { ObservedPull } from "#observe/observe.ts";

/** The first page is in the managed comment, the others in notes. */
export interface NotePages {
  readonly pages: readonly (readonly BlockContent[])[];
}

/** With room for MACs and fences within the 16 KiB that outgoing texts leave. */
const pageCharactersMax = 13_000;
/** Around each block: fence, MAC, names. */
const wrapCharacters = 200;

/** Records that no other text on the pull has in their newest form. What only `keepers` carry stays in them. */
export function notePages(
  records: Records,
  { blocks }: Pick<ObservedPull, "blocks">,
  keepers: ReadonlySet<CommentId>,
): NotePages {
  const elsewhere = new Map<string, string>();
  for (const { block, carriers, key } of blocks.accepted) {
    const isElsewhere = carriers.some((carrier) => carrier.kind === "review" || !keepers.has(carrier.id));
    if (isElsewhere) elsewhere.set(key, blocks.digest(block));
  }
  const placed = blocksOf(records, new Map()).flatMap(({ block }) => {
    const content = blocks.fit(block);
    return content === null ? [] : [makeBlock(content, 0)];
  });
  const kept = placed.filter((block) => elsewhere.get(blockKey(block)) !== blocks.digest(block));
  return { pages: intoPages(kept.toSorted(compareWeight)) };
}

/** The most important first: a full page is cut at its end. */
const weights: readonly Block["type"][] = [
  "process-state",
  "command",
  "question-answer",
  "question",
  "manual-pr-review",
  "dispute-resolution",
  "review",
  "review-finding",
  "classification",
];

function compareWeight(left: Block, right: Block): number {
  return weights.indexOf(left.type) - weights.indexOf(right.type);
}

function intoPages(blocks: readonly Block[]): readonly (readonly BlockContent[])[] {
  const pages: Block[][] = [[]];
  let room = pageCharactersMax;
  for (const block of blocks) {
    const size = (canonicalJson(block)?.length ?? 0) + wrapCharacters;
    if (size > room && (pages.at(-1)?.length ?? 0) > 0) {
      pages.push([]);
      room = pageCharactersMax;
    }
    pages.at(-1)?.push(block);
    room -= size;
  }
  return pages;
}

export function carries(
  { blocks }: Pick<ObservedPull, "blocks">,
  comment: CommentId,
  page: readonly BlockContent[],
): boolean {
  const there = blocks.accepted.filter(({ carriers }) =>
    carriers.some((one) => one.kind === "comment" && one.id === comment),
  );
  const seen = new Set(there.map(({ block }) => blocks.digest(block)));
  return seen.size === page.length && page.every((content) => seen.has(blocks.digest(content)));
}
