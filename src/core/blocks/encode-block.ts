import type { Block } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { type BlockContext, blockMac } from "#core/blocks/block-mac.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { compareText } from "#core/compare-text.ts";

export type EncodedBlocks =
  | { readonly kind: "encoded"; readonly text: string }
  | { readonly kind: "too_large"; readonly type: Block["type"]; readonly subject: string; readonly bytes: number }
  | { readonly kind: "too_many"; readonly count: number };

export const blockInfo = "rmcoc";

/** Shown while folded up, so that people know what they need not open. */
const summary = "Drover's notes to itself";
const opening = `<details><summary>${summary}</summary>`;

/** Nothing in them may be cut off. Jobs that cannot check signatures read the roles above them. */
export function encodeBlocks(
  blocks: readonly Block[],
  context: BlockContext,
  { secret, roles }: { readonly secret: BlockSecret; readonly roles: readonly string[] },
): EncodedBlocks {
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
  return { kind: "encoded", text: [opening, ...rolesLines(roles), ...fences, "</details>"].join("\n\n") };
}

export function rolesLines(roles: readonly string[]): readonly string[] {
  return roles.length === 0 ? [] : [`<!-- drover:roles ${roles.toSorted(compareText).join(" ")} -->`];
}

const rolesPattern = /^<!-- drover:roles ([a-z0-9 -]+) -->\r?$/m;

/** It proves nothing. */
export function readRolesLine(text: string): readonly string[] {
  const found = rolesPattern.exec(text.slice(withoutBlocks(text).length));
  return found?.[1]?.split(" ") ?? [];
}

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
