import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareOrigins, ranksOf, type ServedOrigins, servedMax, withServed } from "#core/fairness/fair-order.ts";
import { type OriginText, originText, repositoryText } from "#core/fairness/work-origin.ts";

/** Serves one after the other, always the first in fair order; of equals, the first of the list. */
function serve(waiting: readonly OriginText[], turns: number): readonly OriginText[] {
  let served: ServedOrigins = [];
  let left = waiting;
  const given: OriginText[] = [];
  for (let turn = 0; turn < turns && left.length > 0; turn++) {
    const ranks = ranksOf(served);
    const [first = originText(null)] = left.toSorted((one, other) => compareOrigins(ranks, one, other));
    given.push(first);
    served = withServed(served, first);
    left = left.toSpliced(left.indexOf(first), 1);
  }
  return given;
}

const of = (repository: string, author: string): OriginText => originText({ repository, author });
const times = (count: number, origin: OriginText): readonly OriginText[] => Array.from({ length: count }, () => origin);

describe("fair turns", () => {
  it("go around among repositories, however much waits for one of them", () => {
    const given = serve([...times(1000, of("big", "ada")), of("small", "rita"), of("small", "rita")], 4);
    expect(given.map(repositoryText)).toEqual(["big", "small", "big", "small"]);
  });

  it("go around among the authors of a repository", () => {
    const given = serve([...times(1000, of("big", "ada")), of("big", "rita"), of("big", "otto")], 4);
    expect(given).toEqual([of("big", "ada"), of("big", "rita"), of("big", "otto"), of("big", "ada")]);
  });

  it("give a repository with many authors no more than one with few", () => {
    const crowd = Array.from({ length: 50 }, (_, index) => of("crowded", `author ${index}`));
    const given = serve([...crowd, ...times(10, of("quiet", "rita"))], 20);
    expect(given.filter((origin) => repositoryText(origin) === "quiet")).toHaveLength(10);
  });

  it("never keep anybody waiting for longer than one turn of each other", () => {
    const someOrigin = fc.record({
      repository: fc.constantFrom("a", "b", "c"),
      author: fc.constantFrom("x", "y", null),
    });
    fc.assert(
      fc.property(fc.array(someOrigin, { minLength: 1, maxLength: 40 }), (origins) => {
        const waiting = origins.map((origin) => originText(origin));
        const given = serve(waiting, waiting.length);
        expect(given.toSorted()).toEqual(waiting.toSorted());
        for (const repository of new Set(waiting.map(repositoryText))) {
          const last = given.findLastIndex((origin) => repositoryText(origin) === repository);
          let since = 0;
          const others = new Set(waiting.map(repositoryText)).size - 1;
          for (const origin of given.slice(0, last + 1)) {
            since = repositoryText(origin) === repository ? 0 : since + 1;
            expect(since).toBeLessThanOrEqual(others);
          }
        }
      }),
    );
  });

  it("remember no more than so many", () => {
    const many = Array.from({ length: 3 * servedMax }, (_, index) => of("a", String(index)));
    const served = many.reduce<ServedOrigins>((known, origin) => withServed(known, origin), []);
    expect(served).toEqual(many.slice(-servedMax));
  });
});

describe("the text of an origin", () => {
  it("is another one for another origin, and tells the repository whatever the names hold", () => {
    const name = fc.string({ maxLength: 20, unit: fc.constantFrom("a", "/", "%", "2", "F", "\\", '"') });
    const origin = fc.record({ repository: name, author: fc.option(name.filter((text) => text !== "")) });
    fc.assert(
      fc.property(origin, origin, (left, right) => {
        const isSame = left.repository === right.repository && left.author === right.author;
        expect(originText(left) === originText(right)).toBe(isSame);
        const isOneRepository = left.repository === right.repository;
        expect(repositoryText(originText(left)) === repositoryText(originText(right))).toBe(isOneRepository);
      }),
    );
  });

  it("is plain and bounded", () => {
    expect(originText({ repository: "\u0000", author: "\ud800" })).toBe(String.raw`\u0000/\ud800`);
    expect(originText({ repository: "x".repeat(1000), author: null })).toHaveLength(150);
    expect(originText(null)).toBe("");
  });
});
