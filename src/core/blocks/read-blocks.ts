import { z } from "zod";
import { Block, blockKey, blockSubjectOf, type Carrier } from "#core/blocks/block.ts";
import { blockLimits } from "#core/blocks/block-limits.ts";
import { type BlockContext, blockMac, isSameMac } from "#core/blocks/block-mac.ts";
import type { BlockSecret } from "#core/blocks/block-secret.ts";
import { canonicalJson } from "#core/blocks/canonical-json.ts";
import { blockInfo } from "#core/blocks/encode-block.ts";
import { type FoundBlock, findBlocks } from "#core/blocks/find-blocks.ts";
import { compareText } from "#core/compare-text.ts";
import type { Account } from "#core/model/account.ts";
import type { BlockRefusal } from "#core/model/observation.ts";

export interface BlockText {
  readonly where: string;
  readonly author: Account;
  readonly body: string;
  readonly carrier: Carrier;
}

export interface AcceptedBlock {
  readonly block: Block;
  /** Oldest first: a copy is younger than its original. */
  readonly carriers: readonly Carrier[];
}

export interface ReadBlocks {
  readonly accepted: readonly AcceptedBlock[];
  readonly refused: readonly BlockRefusal[];
  /** Also blocks that were overtaken. */
  readonly signed: readonly Carrier[];
}

/** Believed: in a text of the bot's own, with a MAC for this pull, not older than what is known. Never throws. */
export function readBlocks(input: {
  readonly texts: readonly BlockText[];
  readonly bot: Account;
  readonly context: BlockContext;
  readonly secret: BlockSecret;
  /** The revision last written or read, by `blockKey`. */
  readonly knownRevisions: ReadonlyMap<string, number>;
  /** A MAC takes longer than everything else in a look. */
  readonly memory?: BlockMemory;
}): ReadBlocks {
  const newest = new Map<string, Candidate>();
  const refused: BlockRefusal[] = [];
  const signed: Carrier[] = [];
  for (const text of input.texts) {
    if (!text.body.includes(blockInfo)) continue;
    const refusals = new Set<Refusal>();
    const results = readText(text, input);
    if (results.some((result) => typeof result !== "string" || result === "stale_revision")) signed.push(text.carrier);
    for (const result of results) {
      if (typeof result === "string") refusals.add(result);
      else takeNewest(newest, result, text.carrier);
    }
    for (const why of refusals) refused.push({ where: text.where, why });
  }
  const accepted = [...newest].sort(([one], [other]) => compareText(one, other)).map(([, candidate]) => candidate);
  return { accepted: accepted.map(({ block, carriers }) => ({ block, carriers: inOrder(carriers) })), refused, signed };
}

type Refusal = BlockRefusal["why"];

/** By the text of a block; for one pull, one account and one secret. */
export type BlockMemory = Map<string, Authentic | Refusal>;

interface Authentic {
  readonly block: Block;
  readonly mac: string;
}

interface Candidate extends Authentic {
  readonly carriers: readonly Carrier[];
}

function readText(text: BlockText, input: Parameters<typeof readBlocks>[0]): readonly (Authentic | Refusal)[] {
  const found = findBlocks(text.body);
  if (found.length === 0) return [];
  if (text.author.id !== input.bot.id) return ["foreign_author"];
  const read = found
    .slice(0, blockLimits.blocksPerTextMax)
    .map((each) => checkRevision(recall(each, input), input.knownRevisions));
  return found.length > blockLimits.blocksPerTextMax ? [...read, "too_many"] : read;
}

/** An edited comment holds mostly the blocks that it held before. */
function recall(found: FoundBlock, input: Parameters<typeof readBlocks>[0]): Authentic | Refusal {
  if (found.kind === "broken") return "malformed";
  const known = input.memory?.get(found.json);
  if (known !== undefined) return known;
  const read = readOne(found.json, input);
  input.memory?.set(found.json, read);
  return read;
}

/** A revision that was good when a text was read may be overtaken by now. */
function checkRevision(read: Authentic | Refusal, known: ReadonlyMap<string, number>): Authentic | Refusal {
  if (typeof read === "string") return read;
  return read.block.revision < (known.get(blockKey(read.block)) ?? 0) ? "stale_revision" : read;
}

const Envelope = z.strictObject({
  type: z.enum(Block.options.map((option) => option.shape.type.value)),
  subject: z.string().min(1),
  revision: z.number().int().nonnegative(),
  data: z.unknown(),
  mac: z.string(),
});

/** The MAC comes first: only what is ours is worth understanding. */
function readOne(json: string, input: Parameters<typeof readBlocks>[0]): Authentic | Refusal {
  if (json.length > blockLimits.blockBytesMax) return "too_large";
  const raw = parseJson(json);
  const envelope = Envelope.safeParse(raw);
  if (!envelope.success) return "malformed";
  const { mac, ...claimed } = envelope.data;
  const expected = blockMac(claimed, input.context, input.secret);
  if (expected === undefined) return "malformed";
  if (!isSameMac(mac, expected)) return "bad_mac";
  // Ours has one spelling: another one has been through other hands.
  if (canonicalJson(raw) !== json) return "malformed";
  const block = Block.safeParse(claimed);
  if (!block.success || blockSubjectOf(block.data) !== block.data.subject) return "malformed";
  return { block: block.data, mac };
}

/** Two workers may write one revision. The MAC decides, so any order of texts gives the same. */
function takeNewest(newest: Map<string, Candidate>, found: Authentic, carrier: Carrier): void {
  const key = blockKey(found.block);
  const known = newest.get(key);
  const order =
    known === undefined ? 1 : found.block.revision - known.block.revision || compareText(found.mac, known.mac);
  if (known === undefined || order > 0) newest.set(key, { ...found, carriers: [carrier] });
  else if (order === 0) newest.set(key, { ...known, carriers: [...known.carriers, carrier] });
}

/** Ids of forges count up: the shorter is the older, then digit by digit. */
function inOrder(carriers: readonly Carrier[]): readonly Carrier[] {
  return carriers.toSorted(
    (one, other) =>
      compareText(one.kind, other.kind) || one.id.length - other.id.length || compareText(one.id, other.id),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
