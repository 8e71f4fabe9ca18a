import { type BlockContent, blockKey, makeBlock } from "#core/blocks/block.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { blockInfo } from "#core/blocks/encode-block.ts";
import { fitContent } from "#core/blocks/fit-content.ts";
import { type AcceptedBlock, type BlockMemory, type BlockText, readBlocks } from "#core/blocks/read-blocks.ts";
import { namedRoles } from "#core/effects/named-roles.ts";
import type { Account } from "#core/model/account.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Observation } from "#core/model/observation.ts";
import { noSecrets } from "#core/secrets/known-secrets.ts";
import { maskStrings } from "#core/secrets/mask-strings.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { FetchedPull } from "#ports/forge.ts";
import type { PullKey } from "#ports/pull-ref.ts";
import type { PullContent } from "#ports/store.ts";

export interface BlockReader {
  read(
    seen: FetchedPull,
    context: { readonly bot: Account; readonly key: PullKey; readonly blocks: PullContent["blocks"] },
  ): OwnBlocks;
}

export interface OwnBlocks {
  readonly accepted: readonly (AcceptedBlock & { readonly key: string })[];
  readonly refused: Observation["refusedBlocks"];
  readonly signedReviews: Observation["signedReviews"];
  /** Without the revision: equal digests mean equal content. */
  readonly digest: (content: BlockContent) => string;
  /** Whether the notes of the pull were found whole in this very state, as `rememberKept` was told. */
  readonly wasKept: (state: string) => boolean;
  readonly rememberKept: (state: string) => void;
  /** As `fitContent`. Secrets are masked before a block is signed: a later change would look like a forgery. */
  readonly fit: (content: BlockContent) => BlockContent | null;
}

const rememberedMax = 5_000;

export function createBlockReader(
  dependencies: Pick<Dependencies, "instance" | "secret" | "knownSecrets">,
): BlockReader {
  const memories = new Map<PullKey, BlockMemory>();
  const digests = new WeakMap<object, string>();
  const digest = (content: BlockContent): string => {
    const known = digests.get(content.data) ?? blockDigest(content);
    digests.set(content.data, known);
    return known;
  };
  const kept = new Map<PullKey, string>();
  const fitting = new WeakMap<object, BlockContent | null>();
  const fit = (content: BlockContent): BlockContent | null => {
    const known = fitting.get(content.data);
    if (known !== undefined) return known;
    const fitted = fitContent(maskStrings(content, dependencies.knownSecrets ?? noSecrets));
    fitting.set(content.data, fitted);
    return fitted;
  };
  return {
    read: (seen, { bot, key, blocks }) => {
      let remembered = 0;
      for (const memory of memories.values()) remembered += memory.size;
      if (remembered > rememberedMax) {
        memories.clear();
        kept.clear();
      }
      const memory: BlockMemory = memories.get(key) ?? new Map();
      memories.set(key, memory);
      const read = readBlocks({
        texts: textsOf(seen),
        bot,
        context: { instance: dependencies.instance, repository: seen.pull.repository.id, pull: seen.pull.number },
        secret: dependencies.secret,
        knownRevisions: new Map(Object.entries(blocks).map(([name, { revision }]) => [name, revision])),
        memory,
      });
      return {
        accepted: read.accepted.map((each) => ({ ...each, key: blockKey(each.block) })),
        // An older revision of our own is no forgery: it stays where it is, and the newer one counts.
        refused: read.refused.filter(({ why }) => why !== "stale_revision"),
        signedReviews: read.signed.flatMap((carrier) => (carrier.kind === "review" ? [carrier.id] : [])),
        digest,
        fit,
        wasKept: (state) => kept.get(key) === state,
        rememberKept: (state) => {
          kept.set(key, state);
        },
      };
    },
  };
}

/** Notes of other roles do not count: another job with this account may play them, with a secret of its own. */
export function areNotesForeign(
  seen: FetchedPull,
  { bot, read, roles }: { readonly bot: Account; readonly read: OwnBlocks; readonly roles: ReadonlySet<string> },
): boolean {
  if (read.accepted.length > 0 || !read.refused.some(({ why }) => why === "bad_mac")) return false;
  const own = textsOf(seen).filter(({ author }) => author.id === bot.id);
  const named = own.flatMap(({ body }) => namedRoles(body));
  // Notes of earlier versions may name no role. Without other roles, blocks count as this job's.
  return named.length === 0 || named.some((role) => roles.has(role));
}

function blockDigest(content: BlockContent): string {
  const { type, subject, data } = makeBlock(content, 0);
  return digestOf(canonicalJson({ type, subject, data }) ?? "");
}

/** Enough to tell whether another block has new content. */
export function rememberedBlocks({ accepted, digest }: OwnBlocks): PullContent["blocks"] {
  return Object.fromEntries(
    accepted.map(({ key, block }) => [key, { revision: block.revision, digest: digest(block) }]),
  );
}

function textsOf(seen: FetchedPull): readonly BlockText[] {
  const texts: BlockText[] = [];
  for (const { id, author, body } of seen.comments) {
    texts.push({ where: `comment ${id}`, author, body, carrier: { kind: "comment", id } });
  }
  for (const { id, author, body, state } of seen.reviews) {
    // A review that was never submitted is discarded, and was never visible: it proves nothing.
    if (state === "pending") continue;
    texts.push({ where: `review ${id}`, author, body, carrier: { kind: "review", id } });
  }
  for (const thread of seen.threads) {
    for (const { id, author, body } of thread.comments) {
      texts.push({ where: `thread comment ${id}`, author, body, carrier: { kind: "thread_comment", id } });
    }
  }
  return texts.filter(({ body }) => body.includes(blockInfo));
}
