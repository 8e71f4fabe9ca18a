import { type BlockContent, blockKey, makeBlock } from "#core/blocks/block.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { type AcceptedBlock, type BlockText, readBlocks } from "#core/blocks/read-blocks.ts";
import type { Account } from "#core/model/account.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Observation } from "#core/model/observation.ts";
import type { PullSeen } from "#ports/forge.ts";
import type { Parts } from "#ports/parts.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { PullContent } from "#ports/store.ts";

export interface BlockReader {
  read(
    seen: PullSeen,
    context: { readonly bot: Account; readonly key: PullKey; readonly blocks: PullContent["blocks"] },
  ): OwnBlocks;
}

export interface OwnBlocks {
  readonly accepted: readonly (AcceptedBlock & { readonly key: string })[];
  readonly refused: Observation["refusedBlocks"];
  /** Of the accepted ones, as they would be remembered. */
  readonly revisions: PullContent["blocks"];
}

/** Each text is checked again only after one has changed: a MAC takes longer than everything else in a look. */
const rememberedPullsMax = 500;

export function createBlockReader(parts: Pick<Parts, "instance" | "secret">): BlockReader {
  const remembered = new Map<PullKey, { readonly texts: readonly BlockText[]; readonly blocks: OwnBlocks }>();
  return {
    read: (seen, { bot, key, blocks }) => {
      const texts = textsOf(seen);
      const last = remembered.get(key);
      if (last !== undefined && isSameTexts(last.texts, texts)) return last.blocks;
      const read = readBlocks({
        texts,
        bot,
        context: { instance: parts.instance, repository: seen.pull.repository.id, pull: seen.pull.number },
        secret: parts.secret,
        knownRevisions: new Map(Object.entries(blocks).map(([name, { revision }]) => [name, revision])),
      });
      const accepted = read.accepted.map((each) => ({ ...each, key: blockKey(each.block) }));
      const found: OwnBlocks = {
        accepted,
        // An older revision of our own is no forgery: it stays where it was first said, and the newer one counts.
        refused: read.refused.filter(({ why }) => why !== "stale_revision"),
        revisions: Object.fromEntries(
          accepted.map(({ key: name, block }) => [name, rememberedBlock(block, block.revision)]),
        ),
      };
      if (remembered.size >= rememberedPullsMax) remembered.clear();
      remembered.set(key, { texts, blocks: found });
      return found;
    },
  };
}

/** What is kept of a block that stands on the forge: enough to tell whether another one says something new. */
export function rememberedBlock(content: BlockContent, revision: number): PullContent["blocks"][string] {
  const { type, subject, data } = makeBlock(content, revision);
  return { revision, digest: digestOf(canonicalJson({ type, subject, data }) ?? "") };
}

function textsOf(seen: PullSeen): readonly BlockText[] {
  const texts: BlockText[] = [];
  for (const { id, author, body } of seen.comments) {
    texts.push({ where: `comment ${id}`, author, body, carrier: { kind: "comment", id } });
  }
  for (const { id, author, body } of seen.reviews) {
    texts.push({ where: `review ${id}`, author, body, carrier: { kind: "review", id } });
  }
  for (const thread of seen.threads) {
    for (const { id, author, body } of thread.comments) {
      texts.push({ where: `thread comment ${id}`, author, body, carrier: { kind: "thread_comment", id } });
    }
  }
  return texts.filter(({ body }) => body.includes("rmcoc"));
}

function isSameTexts(left: readonly BlockText[], right: readonly BlockText[]): boolean {
  return (
    left.length === right.length &&
    left.every((text, index) => text.body === right[index]?.body && text.where === right[index]?.where)
  );
}
