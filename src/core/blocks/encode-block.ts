import type { Block } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { type BlockContext, blockMac } from "#core/blocks/block-mac.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";

export type EncodedBlocks =
  /** Empty where there are no blocks. */
  | { readonly kind: "encoded"; readonly text: string }
  | { readonly kind: "too_large"; readonly type: Block["type"]; readonly subject: string; readonly bytes: number }
  | { readonly kind: "too_many"; readonly count: number };

/** The info string of a state block's fence. */
export const blockInfo = "rmcoc";

/** Shown while folded up, so that people know what they need not open. */
const summary = "Drover's notes to itself";
const opening = `<details><summary>${summary}</summary>`;

/**
 * Blocks as they stand at the end of a comment: folded up, one fence each, one line of JSON in each fence. Nothing in
 * them needs neutralising, and nothing may be cut off them.
 */
export function encodeBlocks(blocks: readonly Block[], context: BlockContext, secret: BlockSecret): EncodedBlocks {
  if (blocks.length === 0) return { kind: "encoded", text: "" };
  if (blocks.length > blockLimits.blocksPerTextMax) return { kind: "too_many", count: blocks.length };
  const fences: string[] = [];
  for (const block of blocks) {
    const json = blockJson(block, context, secret);
    if (json.length > blockLimits.blockBytesMax) {
      return { kind: "too_large", type: block.type, subject: block.subject, bytes: json.length };
    }
    fences.push(`\`\`\`${blockInfo}\n${json}\n\`\`\``);
  }
  const text = `${opening}\n\n${fences.join("\n\n")}\n\n</details>`;
  return { kind: "encoded", text };
}

/** A remark of Drover's own without what it keeps for itself at the end. */
export function withoutBlocks(text: string): string {
  const at = text.lastIndexOf(opening);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

function blockJson(block: Block, context: BlockContext, secret: BlockSecret): string {
  const { type, subject, revision, data } = block;
  const json = canonicalJson({ type, subject, revision, data, mac: blockMac(block, context, secret) });
  if (json === undefined) throw new Error(`${type} block: the data is not JSON`);
  return json;
}
