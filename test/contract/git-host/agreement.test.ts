import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HeadSha } from "#core/model/ids.ts";
import type { GitHost, HostChanges } from "#ports/git-host.ts";
import { at, author, type HostWorld, memoryHostWorld, realHostWorld } from "./host-world.ts";

/** Numbers stand for earlier commits, counted from the latest. */
type Step =
  | { readonly kind: "commit"; readonly parents: readonly number[]; readonly changes: HostChanges }
  | { readonly kind: "merge"; readonly base: number; readonly head: number };

const path = fc.constantFrom("a", "b", "d", "d/x", "d/y/z", "ü");
/** No line is there twice, so there is one way only to tell what was changed. */
const text = fc
  .uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 1 })
  .map((kept) => kept.toSorted((left, right) => left - right).map((line) => `line ${line}\n`))
  .chain((lines) => fc.constantFrom(lines.join(""), `${lines.join("")}end`, `\0${lines.join("")}`));
const earlier = fc.nat({ max: 4 });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("commit" as const),
    parents: fc.uniqueArray(earlier, { minLength: 1, maxLength: 2 }),
    changes: fc
      .dictionary(path, fc.option(text, { freq: 5 }), { minKeys: 1, maxKeys: 3 })
      .filter((changes) => !isWritten(changes, "d") || !(isWritten(changes, "d/x") || isWritten(changes, "d/y/z"))),
  }),
  fc.record({ kind: fc.constant("merge" as const), base: earlier, head: earlier }),
);

function isWritten(changes: HostChanges, name: string): boolean {
  return typeof changes[name] === "string";
}

/** Everything that a host answered while these steps were taken. */
async function live(host: GitHost, repository: string, steps: readonly Step[]): Promise<readonly unknown[]> {
  await host.createRepository(repository);
  const root = { repository, parents: [], changes: { a: "line 3\n", d: "line 5\n" }, message: "m", author, at: at(0) };
  const commits: HeadSha[] = [await host.commit(root)];
  const answers: unknown[] = [...commits];
  const find = (back: number): HeadSha => commits.at(-1 - (back % commits.length)) ?? commits[0] ?? neverEmpty();
  for (const [index, taken] of steps.entries()) {
    const made = { repository, message: `step ${index}`, author, at: at(index + 1) };
    if (taken.kind === "commit") {
      commits.push(await host.commit({ ...made, parents: taken.parents.map(find), changes: taken.changes }));
      answers.push(commits.at(-1));
    } else {
      const pair = { base: find(taken.base), head: find(taken.head) };
      const merge = await host.mergeCommit({ ...made, ...pair });
      if (merge.kind === "merged") commits.push(merge.commit);
      const isAncestor = await host.isAncestor({ repository, older: pair.base, newer: pair.head });
      answers.push(merge, isAncestor, (await host.diff({ repository, ...pair }))?.mergeBase);
    }
  }
  return answers;
}

function neverEmpty(): never {
  throw new Error("there is always a first commit");
}

describe("both hosts", () => {
  let real: HostWorld;
  let memory: HostWorld;
  beforeAll(async () => {
    real = await realHostWorld();
    memory = await memoryHostWorld();
  });
  afterAll(() => real.close());

  it("give the same commits, merges and conflicts for the same requests", async () => {
    let count = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      count += 1;
      const name = `run-${count}`;
      expect(await live(memory.host, name, steps)).toEqual(await live(real.host, name, steps));
    });
    await fc.assert(property, { numRuns: 6 });
  });
});
