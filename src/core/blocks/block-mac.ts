import type { Block } from "#core/blocks/block.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import type { InstanceId, RepositoryId } from "#core/model/ids.ts";

/** Part of the MAC, so that a block taken to another pull proves nothing there. */
export interface BlockContext {
  readonly instance: InstanceId;
  readonly repository: RepositoryId;
  readonly pull: number;
}

export type UnreadBlock = Pick<Block, "type" | "subject" | "revision"> & { readonly data: unknown };

/** Each part stands behind its length, so no two lists of parts make the same message. Undefined: not writable. */
export function blockMac(block: UnreadBlock, context: BlockContext, secret: BlockSecret): string | undefined {
  const parts = [
    purpose,
    context.instance,
    context.repository,
    context.pull,
    block.type,
    block.subject,
    block.revision,
    block.data,
  ].map((part) => canonicalJson(part));
  let message = "";
  for (const part of parts) {
    if (part === undefined) return undefined;
    message += `${part.length}:${part}`;
  }
  return secret.authenticate(new TextEncoder().encode(message));
}

/** Another use of the same secret signs other messages; another layout of this one gets another number. */
const purpose = "drover state block 1";

/** Takes the same time wherever the first difference is. */
export function isSameMac(claimed: string, expected: string): boolean {
  if (claimed.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++) {
    difference |= claimed.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}
