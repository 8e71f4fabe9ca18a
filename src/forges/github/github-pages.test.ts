import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant } from "#core/model/instant.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { type PageParams, walkPages } from "#forges/github/github-pages.ts";
import type { TransportResponse } from "#forges/github/github-transport.ts";

const full = githubLimits.pageSize;

function answerWith(link: string | undefined): TransportResponse {
  const at = instant(0);
  return { kind: "answered", status: 200, headers: { link }, data: null, askedAt: at, heardAt: at };
}

/** A forge with these numbers, which counts the pages that it is asked for. */
function forgeOf(giver: (params: PageParams) => { readonly entries: readonly number[]; readonly link?: string }) {
  const asked: PageParams[] = [];
  return {
    asked,
    keyOf: (entry: number) => entry,
    async fetchPage(params: PageParams) {
      asked.push(params);
      const { entries, link } = giver(params);
      return { entries, answer: answerWith(link) };
    },
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

const next = '<https://api.test/list?page=2>; rel="next", <https://api.test/list?page=9>; rel="last"';
const last = '<https://api.test/list?page=1>; rel="first", <https://api.test/list?page=1>; rel="prev"';

describe("a list that is walked page by page", () => {
  it("is told whole, once and in order, however long it and the pages of the forge are", async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 10, max: full }),
      async (count, size) => {
        const all = numbers(count);
        const forge = forgeOf(({ page }) => {
          const entries = all.slice((page - 1) * size, page * size);
          const hasMore = page * size < count;
          // GitHub has no links at all where one page is everything.
          return { entries, ...(hasMore ? { link: next } : page > 1 ? { link: last } : {}) };
        });
        expect(await walkPages(forge)).toEqual({ entries: all, isCut: false });
      },
    );
    await fc.assert(property);
  });

  it.each([
    [0, 1],
    [full - 1, 1],
    [full, 2],
    [full + 1, 2],
    [2 * full, 3],
  ])("is told whole where nobody sends links: %i entries in %i requests", async (count, requests) => {
    const all = numbers(count);
    const forge = forgeOf(({ page, per_page: size }) => ({ entries: all.slice((page - 1) * size, page * size) }));
    expect(await walkPages(forge)).toEqual({ entries: all, isCut: false });
    expect(forge.asked).toEqual(numbers(requests).map((page) => ({ per_page: full, page })));
  });

  it.each([
    "<https://api.test/list?page=2>;rel=next",
    '<https://api.test/list?page=2>; title="more"; REL="Next"',
    '<https://api.test/a>; rel="last", <https://api.test/b>; rel="prefetch next"',
  ])("has another page where the links say so: %s", async (link) => {
    const forge = forgeOf(({ page }) => (page === 1 ? { entries: [1], link } : { entries: [2], link: last }));
    expect(await walkPages(forge)).toEqual({ entries: [1, 2], isCut: false });
  });

  it.each([last, '<https://api.test/list;rel=next>; rel="prev"', '<https://api.test/x>; rel="nextish"', ""])(
    "ends with a page that is full, where there are links and none leads on: %s",
    async (link) => {
      const forge = forgeOf(() => ({ entries: numbers(full), link }));
      expect(await walkPages(forge)).toEqual({ entries: numbers(full), isCut: false });
      expect(forge.asked).toHaveLength(1);
    },
  );

  it("has each entry once where the forge gives everything whatever page is asked for", async () => {
    const forge = forgeOf(() => ({ entries: numbers(full + 30) }));
    expect(await walkPages(forge)).toEqual({ entries: numbers(full + 30), isCut: false });
    expect(forge.asked).toHaveLength(2);
  });

  it("goes on after a page of which the token may see nothing", async () => {
    const forge = forgeOf(({ page }) => (page === 1 ? { entries: [], link: next } : { entries: [1], link: last }));
    expect((await walkPages(forge)).entries).toEqual([1]);
  });

  it("has an entry once that moved to the next page while the first was read", async () => {
    const forge = forgeOf(({ page }) =>
      page === 1 ? { entries: [1, 2], link: next } : { entries: [2, 3], link: last },
    );
    expect((await walkPages(forge)).entries).toEqual([1, 2, 3]);
  });

  it("is cut where it never ends, and says so", async () => {
    const forge = forgeOf(({ page }) => ({ entries: [page], link: next }));
    const { entries, isCut } = await walkPages(forge);
    expect([entries.length, isCut, forge.asked.length]).toEqual([githubLimits.pagesMax, true, githubLimits.pagesMax]);
  });

  it("is not cut where its last page is the last that is read", async () => {
    const forge = forgeOf(({ page }) => ({ entries: [page], link: page < githubLimits.pagesMax ? next : last }));
    const { entries, isCut } = await walkPages(forge);
    expect([entries.length, isCut]).toEqual([githubLimits.pagesMax, false]);
  });

  it("is read no further than the entry that somebody looked for", async () => {
    const forge = forgeOf(({ page }) => ({ entries: [2 * page - 1, 2 * page], link: next }));
    const { entries } = await walkPages({ ...forge, isEnough: (entry) => entry === 3 });
    expect(entries).toEqual([1, 2, 3, 4]);
    expect(forge.asked).toHaveLength(2);
  });

  it("is an error where a page is", async () => {
    const forge = forgeOf(({ page }) => {
      if (page === 2) throw new Error("no answer");
      return { entries: [1], link: next };
    });
    await expect(walkPages(forge)).rejects.toThrow("no answer");
  });
});
