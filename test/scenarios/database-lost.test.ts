import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "#core/blocks/block.ts";
import { makeBlockSecret } from "#core/blocks/block-mac.ts";
import { blocksOf } from "#core/blocks/blocks-from-records.ts";
import { encodeBlocks } from "#core/blocks/encode-block.ts";
import { readBlocks } from "#core/blocks/read-blocks.ts";
import { restoreRecords } from "#core/blocks/records-from-blocks.ts";
import { derive } from "#core/derive/derive.ts";
import { CommentId, InstanceId, RepositoryId } from "#core/model/ids.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Records } from "#core/model/records.ts";
import { anyObservation } from "#testing/any-observation.ts";
import { settleFakePull } from "#testing/fake-pull/settle-fake-pull.ts";
import { ada, drover, someRecords, text } from "#testing/makers.ts";

const secret = makeBlockSecret(new Uint8Array(32).fill(7));
const otherSecret = makeBlockSecret(new Uint8Array(32).fill(8));
const context = { instance: InstanceId.parse("test"), repository: RepositoryId.parse("7"), pull: 12 };

type Texts = Parameters<typeof readBlocks>[0]["texts"];

/** Each block in a comment of its own, as the bot (or somebody else) would have posted it. */
function written(
  blocks: readonly Block[],
  over: Partial<{ by: typeof drover; key: typeof secret; where: typeof context }>,
): Texts {
  return blocks.flatMap((block, index) => {
    const encoded = encodeBlocks([block], over.where ?? context, { secret: over.key ?? secret, roles: [] });
    if (encoded.kind !== "encoded") return [];
    const id = CommentId.parse(`9${index}`);
    return [
      {
        where: `comment ${id}`,
        author: over.by ?? drover,
        body: text(encoded.text),
        carrier: { kind: "comment", id } as const,
      },
    ];
  });
}

function read(texts: Texts, stored: Records, knownRevisions: ReadonlyMap<string, number> = new Map()): Records {
  const { accepted } = readBlocks({ texts, bot: drover, context, secret, knownRevisions });
  return restoreRecords(stored, accepted);
}

/** Records that would turn the situation over, if anybody believed them. */
function hostile(seen: Observation): readonly Block[] {
  const settled = settleFakePull(seen).pull.records;
  return blocksOf(settled, new Map()).map(({ block }) => block);
}

describe("state blocks and the situation", () => {
  it.each([
    ["forged with another key", { key: otherSecret }],
    ["written by somebody else", { by: ada }],
    ["copied from another pull", { where: { ...context, pull: 13 } }],
    ["copied from another repository", { where: { ...context, repository: RepositoryId.parse("8") } }],
    ["copied from another instance", { where: { ...context, instance: InstanceId.parse("elsewhere") } }],
  ] as const)("stays the same when blocks are %s", (_, over) => {
    let blocks = 0;
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const texts = written(hostile(seen), over);
        blocks += texts.length;
        expect(derive({ ...seen, records: read(texts, seen.records) })).toEqual(derive(seen));
      }),
      { numRuns: 60 },
    );
    expect(blocks).toBeGreaterThan(0);
  });

  it("stays the same when an old block is put in the place of a newer one that was seen", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const blocks = hostile(seen);
        const known = new Map(blocks.map((block) => [`${block.type} ${block.subject}`, block.revision + 1]));
        expect(derive({ ...seen, records: read(written(blocks, {}), seen.records, known) })).toEqual(derive(seen));
      }),
      { numRuns: 60 },
    );
  });

  it("comes back from the pull alone when the database is lost", () => {
    fc.assert(
      fc.property(anyObservation, (seen) => {
        const { pull } = settleFakePull(seen);
        const placed = blocksOf(pull.records, new Map());
        const texts = placed.flatMap(({ block, carrier }, index) =>
          written([block], {}).map((one) => ({
            ...one,
            carrier: carrier ?? { kind: "comment" as const, id: CommentId.parse(`8${index}`) },
          })),
        );
        const restored = read(texts, someRecords());
        expect(derive({ ...pull, records: restored })).toEqual(derive(pull));
      }),
      { numRuns: 100 },
    );
  });
});
