import { describe, expect, it } from "vitest";
import { asConfigured, type OfferTerms } from "#core/review/offer-terms.ts";
import type { Batches } from "#ports/batches.ts";
import type { Model } from "#ports/model.ts";
import type { ReviewJob } from "#ports/reviewer.ts";
import { bareBrief } from "#reviewers/model/built-in-briefs.ts";
import { modelReviewer } from "#reviewers/model/model-reviewer.ts";
import { offerWords } from "#reviewers/model/offers.ts";
import { aModelJob, aSaidFinding, says, scriptedModel } from "#testing/model-makers.ts";

/** A model at so many millionths of a dollar for a token, and a tenth of that for one that the cache serves. */
function priced(model: Model, rate: number | null): Model {
  return {
    ...model,
    estimate: ({ fresh, cached, out }, delivery) =>
      rate === null ? null : Math.ceil((fresh + cached / 10 + out) * rate * (delivery === "batch" ? 0.5 : 1)),
  };
}

const silent = (): Model => scriptedModel(() => says());
const nobody = async (): Promise<never> => {
  throw new Error("nobody hands a batch over here");
};
const batches: Batches = { submit: nobody, find: nobody, check: nobody, cancel: nobody, forget: nobody };

interface Shop {
  readonly usual?: Model;
  readonly cheap?: Model | null;
  readonly callTokensMax?: number;
}

function shop({ usual = priced(silent(), 1), cheap = null, callTokensMax = 60_000 }: Shop) {
  return modelReviewer({
    modelOf: (name) => (name === "small" ? cheap : usual),
    cheaperThan: () => (cheap === null ? null : "small"),
    limits: { callTokensMax },
  });
}

/** So many files, of which each fills a conversation. */
function manyFiles(count: number): Pick<ReviewJob, "diff"> {
  const lines = Array.from({ length: 14 }, () => `+${"some words of code; ".repeat(5)}`);
  const files = Array.from({ length: count }, (_, index) => ({ path: `src/f${index}.ts`, hunks: [lines] }));
  return { diff: aModelJob({ files }).diff };
}

async function offersOf(reviewer: ReturnType<typeof shop>, job: ReviewJob) {
  const offers = await reviewer.offers?.(job);
  if (offers === undefined) throw new Error("a model costs something");
  return offers;
}

const byBatch: OfferTerms = { ...asConfigured, isBatch: true };

function nameOf({ isCheaper, isBatch, callsMax }: OfferTerms): string {
  const words = [
    isCheaper ? "cheaper" : [],
    isBatch ? "batch" : [],
    callsMax === null ? [] : `calls=${callsMax}`,
  ].flat();
  return words.length === 0 ? "configured" : words.join("+");
}

/** Room for one of them, and not for two. */
const largeFile = 700;

describe("the offers of a model reviewer", () => {
  it("count the model that looks again at orders to a model, and have no price where that one has none", async () => {
    const brief = { ...bareBrief, injection: { isTold: true, verifier: "small" } };
    const job = { ...aModelJob(), mayWait: true };
    const usual = { ...priced(silent(), 10), batches };
    const costs = async (cheap: Model, offered: ReviewJob): Promise<readonly (number | null)[]> => {
      const reviewer = modelReviewer({ modelOf: (name) => (name === "small" ? cheap : usual) });
      return (await offersOf(reviewer, offered)).map(({ costMicroUsd }) => costMicroUsd);
    };
    const [alone = null, inBatch = null] = await costs(priced(silent(), 1), job);
    expect(await costs(priced(silent(), 1), { ...job, brief })).toEqual([(alone ?? 0) + 8_000, inBatch]);
    expect(await costs(priced(silent(), null), { ...job, brief })).toEqual([null, inBatch]);
  });

  it("begin with what is configured, and are ever cheaper", async () => {
    const reviewer = shop({
      usual: { ...priced(silent(), 10), batches },
      cheap: { ...priced(silent(), 1), batches },
      callTokensMax: largeFile,
    });
    const offers = await offersOf(reviewer, { ...aModelJob(), ...manyFiles(4), mayWait: true });
    expect(offers.map(({ terms, delivery }) => [nameOf(terms), delivery, offerWords(terms)])).toMatchInlineSnapshot(`
      [
        [
          "configured",
          "now",
          "",
        ],
        [
          "batch",
          "batch",
          "in a batch at half the price",
        ],
        [
          "cheaper",
          "now",
          "by the cheaper model",
        ],
        [
          "cheaper+batch",
          "batch",
          "by the cheaper model, in a batch at half the price",
        ],
        [
          "cheaper+batch+calls=2",
          "batch",
          "by the cheaper model, in a batch at half the price, in 2 parts at most",
        ],
        [
          "cheaper+batch+calls=1",
          "batch",
          "by the cheaper model, in a batch at half the price, in 1 part at most",
        ],
      ]
    `);
    const costs = offers.map(({ costMicroUsd }) => costMicroUsd ?? 0);
    expect(costs.toSorted((left, right) => right - left)).toEqual(costs);
    expect(new Set(costs).size).toBe(costs.length);
  });

  it("hold no batch where nobody waits for it, and none where the provider takes none", async () => {
    const takes = shop({ usual: { ...priced(silent(), 1), batches } });
    expect((await offersOf(takes, aModelJob())).map(({ terms }) => nameOf(terms))).toEqual(["configured"]);
    expect((await offersOf(shop({}), { ...aModelJob(), mayWait: true })).map(({ terms }) => nameOf(terms))).toEqual([
      "configured",
    ]);
  });

  it("hold nothing but batches for a role that is delivered so", async () => {
    const reviewer = shop({ usual: { ...priced(silent(), 1), batches } });
    const brief = { ...bareBrief, delivery: "batch" as const };
    const offers = await offersOf(reviewer, { ...aModelJob(), brief, mayWait: true });
    expect(offers).toEqual([{ terms: byBatch, delivery: "batch", costMicroUsd: expect.any(Number) }]);
    // Better at once than never.
    expect((await offersOf(reviewer, { ...aModelJob(), brief })).map(({ terms }) => nameOf(terms))).toEqual([
      "configured",
    ]);
  });

  it("say that nobody knows the price, and cost nothing where nobody is asked", async () => {
    const [unknown] = await offersOf(shop({ usual: silent() }), aModelJob());
    expect(unknown?.costMicroUsd).toBeNull();
    const [nothing] = await offersOf(shop({}), { ...aModelJob(), excludedPaths: ["*"] });
    expect(nothing?.costMicroUsd).toBe(0);
  });
});

describe("a look on the terms of an offer", () => {
  it("is done by the cheaper model, and says so", async () => {
    const usual = scriptedModel([]);
    const cheap = scriptedModel([says({ findings: [aSaidFinding()] }), says(), says()]);
    const outcome = await shop({ usual, cheap }).review({
      ...aModelJob(),
      offer: { ...asConfigured, isCheaper: true },
    });
    expect(outcome).toMatchObject({ kind: "completed", findings: [{ rule: "missing-await" }] });
    expect(outcome.kind === "completed" && outcome.summary).toContain(
      "To stay within the budget this was done by the cheaper model.",
    );
    expect(usual.turns).toEqual([]);
  });

  it("leaves files beyond its parts unread, and names them", async () => {
    const job = { ...aModelJob(), ...manyFiles(4), offer: { ...asConfigured, callsMax: 1 } };
    const outcome = await shop({ callTokensMax: largeFile }).review(job);
    expect(outcome).toMatchObject({
      kind: "completed",
      coverage: { filesRead: 1, unread: [1, 2, 3].map((file) => ({ path: `src/f${file}.ts`, why: "budget" })) },
    });
  });

  it("stops in the middle where the rest cannot be paid for", async () => {
    const asked: (number | null)[] = [];
    const told: string[] = [];
    const mayGoOn = async (rest: number | null) => asked.push(rest) < 2;
    const reviewer = shop({ callTokensMax: largeFile });
    const outcome = await reviewer.review({ ...aModelJob(), ...manyFiles(4), mayGoOn });
    if (outcome.kind === "completed") told.push(outcome.summary);
    expect(outcome).toMatchObject({
      coverage: { filesRead: 2, unread: [2, 3].map((file) => ({ path: `src/f${file}.ts`, why: "budget" })) },
    });
    expect(told.join()).toContain("The budget was used up before everything was read: 2 files left out.");
    const [first, second] = asked.map((rest) => rest ?? 0);
    // What is asked for is the rest, and becomes less.
    expect((2 * (first ?? 0)) / 3).toBeCloseTo(second ?? 0, -2);
  });
});
