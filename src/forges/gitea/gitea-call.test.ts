import { describe, expect, it } from "vitest";
import { z } from "zod";
import { after, type Instant, instant } from "#core/model/instant.ts";
import { type Caller, call, callPages, type GiteaRequest } from "#forges/gitea/gitea-call.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import type { TransportRequest } from "#forges/gitea/gitea-transport.ts";

const request: GiteaRequest = { where: "mia/tools", name: "list", manner: "read", method: "GET", path: "/x" };
const list = { ...request, shape: z.number(), itemsMax: 1_000 };

interface Served {
  readonly items: readonly number[];
  readonly pageSizeMax: number;
  readonly isCounted: boolean;
}

function serving({ items, pageSizeMax, isCounted }: Served): { caller: Caller; pages: () => number } {
  let pages = 0;
  const headers = new Headers(isCounted ? { "x-total-count": String(items.length) } : {});
  const caller = callerOf(async ({ query }) => {
    pages += 1;
    const size = Math.min(pageSizeMax, Number(query["limit"]));
    const page = items.slice((Number(query["page"]) - 1) * size, Number(query["page"]) * size);
    return { status: 200, headers, data: page.length === 0 ? null : page };
  });
  return { caller, pages: () => pages };
}

type Answering = (outgoing: TransportRequest) => Promise<{ status: number; headers: Headers; data: unknown }>;

function callerOf(answer: Answering, now: () => Instant = () => instant(0)): Caller {
  return {
    clock: { now, sleep: async () => undefined },
    onSpent: () => undefined,
    send: async (outgoing) => ({
      kind: "answered",
      ...(await answer(outgoing)),
      askedAt: instant(0),
      heardAt: instant(0),
    }),
  };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

describe("the pages of a list", () => {
  it.each([
    [0, 50, 1],
    [49, 50, 1],
    [50, 50, 1],
    [51, 50, 2],
    [101, 20, 6],
  ])("of %i are all read where the server gives %i at a time, in %i calls", async (count, pageSizeMax, calls) => {
    const { caller, pages } = serving({ items: numbers(count), pageSizeMax, isCounted: true });
    expect(await callPages(caller, list)).toEqual({ items: numbers(count), isCut: false });
    expect(pages()).toBe(calls);
  });

  it("are read until there is nothing more where nobody counts them", async () => {
    const { caller, pages } = serving({ items: numbers(45), pageSizeMax: 20, isCounted: false });
    expect((await callPages(caller, list)).items).toEqual(numbers(45));
    expect(pages()).toBe(4);
  });

  it("are not asked for for ever of a server that has none", async () => {
    const caller = callerOf(async () => ({ status: 200, headers: new Headers(), data: [1, 2, 3] }));
    expect((await callPages(caller, list)).items).toEqual([1, 2, 3]);
  });

  it("are read on behind those that hold nothing for us", async () => {
    const headers = new Headers({ "x-total-count": "75" });
    const caller = callerOf(async ({ query: { page } }) => {
      const data = page === 1 ? [1] : page === 8 ? [2, 3, 4, 5, 6] : [];
      return { status: 200, headers, data };
    });
    expect(await callPages(caller, list)).toEqual({ items: [1, 2, 3, 4, 5, 6], isCut: false });
  });

  it("are not believed in for ever where there is nothing", async () => {
    const headers = new Headers({ "x-total-count": "1000000000" });
    const caller = callerOf(async () => ({ status: 200, headers, data: null }));
    expect(await callPages(caller, list)).toEqual({ items: [], isCut: true });
  });

  it("are read again where something was taken out meanwhile, so that nothing slips onto a page that was read", async () => {
    let items = numbers(60);
    const caller = callerOf(async ({ query }) => {
      const headers = new Headers({ "x-total-count": String(items.length) });
      const page = Number(query["page"]);
      const data = items.slice((page - 1) * 50, page * 50);
      items = items.filter((item) => item !== 7);
      return { status: 200, headers, data };
    });
    expect((await callPages(caller, list)).items).toEqual(numbers(60).filter((item) => item !== 7));
  });

  it("that never come to rest are no list", async () => {
    let total = 1_000;
    const caller = callerOf(async () => {
      total -= 1;
      return { status: 200, headers: new Headers({ "x-total-count": String(total) }), data: numbers(50) };
    });
    await expect(callPages(caller, list)).rejects.toMatchObject({ kind: "unavailable", isApplied: "no" });
  });

  it("are cut at the limit, which is said", async () => {
    const { caller, pages } = serving({ items: numbers(500), pageSizeMax: 50, isCounted: true });
    expect(await callPages(caller, { ...list, itemsMax: 120 })).toEqual({ items: numbers(120), isCut: true });
    expect(pages()).toBe(3);
  });
});

describe("the time of a call", () => {
  const shaped = { ...request, shape: z.unknown() };

  it("is that of a read, or what is left of a write's", async () => {
    const given: number[] = [];
    const now = instant(100_000);
    const caller = callerOf(
      async ({ timeoutMs }) => {
        given.push(timeoutMs);
        return { status: 200, headers: new Headers(), data: {} };
      },
      () => now,
    );
    await call(caller, shaped);
    await call(caller, { ...shaped, manner: "write" });
    await call(caller, { ...shaped, manner: "write", since: after(now, -4_000) });
    await call(caller, { ...shaped, manner: "look", since: after(now, -9_000) });
    const { readTimeoutMs, writeTimeoutMs } = giteaLimits;
    expect(given).toEqual([readTimeoutMs, writeTimeoutMs, writeTimeoutMs - 4_000, writeTimeoutMs - 9_000]);
  });

  it("that is over before a write is sent keeps it from being sent", async () => {
    let count = 0;
    const caller = callerOf(
      async () => {
        count += 1;
        return { status: 200, headers: new Headers(), data: {} };
      },
      () => instant(60_000),
    );
    const late = call(caller, { ...shaped, manner: "write", since: instant(0) });
    await expect(late).rejects.toMatchObject({ kind: "unavailable", isApplied: "no" });
    expect(count).toBe(0);
  });
});
