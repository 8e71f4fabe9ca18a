import { parseDiff } from "#core/diff/diff.ts";
import type { PackedCall } from "#core/prompt/pack-diff.ts";
import { asConfigured, type OfferTerms } from "#core/review/offer-terms.ts";
import { counted } from "#core/words/counted.ts";
import type { DeliveryMode, ExpectedTokens, Model } from "#ports/model.ts";
import type { ReviewJob, ReviewOffer } from "#ports/reviewer.ts";
import { bareBrief } from "#reviewers/model/built-in-briefs.ts";
import { conversationTokens } from "#reviewers/model/expected-tokens.ts";
import { fitWindow } from "#reviewers/model/fit-window.ts";
import { packChange } from "#reviewers/model/pack-change.ts";
import { defaultReviewLimits, type ReviewLimits, type ReviewSettings } from "#reviewers/model/review-settings.ts";

export function offerWords({ isCheaper, isBatch, callsMax }: OfferTerms): string {
  const words = [
    ...(isCheaper ? ["by the cheaper model"] : []),
    ...(isBatch ? ["in a batch at half the price"] : []),
    ...(callsMax === null ? [] : [`in ${counted(callsMax, "part", "parts")} at most`]),
  ];
  return words.join(", ");
}

/** As a batch, by the cheaper model, then less of the change. A role in batches is not offered at once: too dear. */
export async function makeOffers(settings: ReviewSettings, job: ReviewJob): Promise<readonly ReviewOffer[]> {
  const { brief = bareBrief } = job;
  const limits = limitsOf(settings, { ...job, offer: undefined });
  const cheaper = settings.cheaperThan?.(brief.model) ?? null;
  const models: Models = {
    usual: settings.modelOf(brief.model),
    cheaper: cheaper === null ? null : settings.modelOf(cheaper),
  };
  const packed = packedFor(job, limits, models);
  const price = (terms: OfferTerms): ReviewOffer => {
    const delivery = terms.isBatch ? "batch" : "now";
    const who = terms.isCheaper ? "cheaper" : "usual";
    const calls = packed[who].calls.slice(0, terms.callsMax ?? undefined);
    const talk = lookCost(models[who], calls, { limits: packed[who].limits, delivery });
    // The results of a batch get no second turn that looks around.
    const check = terms.isBatch ? 0 : verifierCost(settings, job);
    const costMicroUsd = talk === null || check === null ? null : talk + check;
    return { terms, delivery, costMicroUsd };
  };
  const wide = wideTerms(models, job);
  const cheapest = wide.at(-1) ?? asConfigured;
  const { calls: cheapestCalls } = packed[cheapest.isCheaper ? "cheaper" : "usual"];
  const narrow = fewerThan(cheapestCalls.length).map((callsMax) => ({ ...cheapest, callsMax }));
  return [...wide, ...narrow].map(price);
}

interface Packed {
  readonly limits: ReviewLimits;
  readonly calls: readonly PackedCall[];
}

/** Models have different windows; a change is packed again only where that matters. */
function packedFor(job: ReviewJob, limits: ReviewLimits, models: Models): Readonly<Record<keyof Models, Packed>> {
  const pack = (model: Model | null): Packed => {
    const fitted = model === null ? limits : fitWindow(limits, model);
    return { limits: fitted, calls: packedCalls(job, fitted) };
  };
  const usual = pack(models.usual);
  const isSame = models.cheaper === null || models.cheaper.contextTokens === models.usual?.contextTokens;
  return { usual, cheaper: isSame ? usual : pack(models.cheaper) };
}

export function limitsOf(settings: ReviewSettings, { offer = asConfigured }: Pick<ReviewJob, "offer">): ReviewLimits {
  const limits = { ...defaultReviewLimits, ...settings.limits };
  const { callsMax } = offer;
  return callsMax === null ? limits : { ...limits, callsMax: Math.min(limits.callsMax, callsMax) };
}

export function modelNameFor(
  { cheaperThan }: Pick<ReviewSettings, "cheaperThan">,
  { offer = asConfigured, brief = bareBrief }: Pick<ReviewJob, "offer" | "brief">,
): string | null {
  return offer.isCheaper ? (cheaperThan?.(brief.model) ?? brief.model) : brief.model;
}

export function lookCost(
  model: Model | null,
  calls: readonly Pick<PackedCall, "tokens">[],
  terms: { readonly limits: ReviewLimits; readonly delivery: DeliveryMode },
): number | null {
  const { rulesTokensMax, aboutTokensMax } = terms.limits;
  let cost = 0;
  for (const { tokens } of calls) {
    // A smaller prompt is filled up to what the provider's cache takes.
    const prompt = Math.max(tokens + rulesTokensMax + aboutTokensMax, model?.cacheTokensMin ?? 0);
    const expected = conversationTokens(prompt, terms);
    const one = model?.estimate?.(expected, terms.delivery) ?? null;
    if (one === null) return null;
    cost += one;
  }
  return cost;
}

/** Ten short texts, and what a model thinks about them. */
const verifierTokens: ExpectedTokens = { fresh: 4_000, cached: 0, out: 4_000 };

/** Whether there will be any orders to look at is not known yet. */
function verifierCost({ modelOf }: ReviewSettings, { brief }: ReviewJob): number | null {
  const verifier = brief?.injection?.verifier ?? null;
  const model = verifier === null ? null : modelOf(verifier);
  return model === null ? 0 : (model.estimate?.(verifierTokens, "now") ?? null);
}

/** An unreadable change costs nothing: no model is asked about it. */
function packedCalls(job: ReviewJob, limits: ReviewLimits): readonly PackedCall[] {
  const parsed = parseDiff(job.diff);
  if (parsed.kind !== "diff") return [];
  const { brief = bareBrief, excludedPaths } = job;
  return packChange({ diff: parsed.diff, brief, excludedPaths, limits }).packed.calls;
}

interface Models {
  readonly usual: Model | null;
  readonly cheaper: Model | null;
}

function wideTerms({ usual, cheaper }: Models, { brief, mayWait }: ReviewJob): readonly OfferTerms[] {
  const terms: OfferTerms[] = [];
  for (const isCheaper of cheaper === null ? [false] : [false, true]) {
    const isBatchable = mayWait === true && (isCheaper ? cheaper : usual)?.batches !== undefined;
    if (!isBatchable || brief?.delivery !== "batch") terms.push({ ...asConfigured, isCheaper });
    if (isBatchable) terms.push({ ...asConfigured, isCheaper, isBatch: true });
  }
  return terms;
}

function fewerThan(calls: number): readonly number[] {
  const fewer: number[] = [];
  for (let count = Math.ceil(calls / 2); count < calls && count >= 1; count = Math.ceil(count / 2)) {
    fewer.push(count);
    if (count === 1) break;
  }
  return fewer;
}
