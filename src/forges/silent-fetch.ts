import { secondMs } from "#core/model/instant.ts";
import { noAnswerCode } from "#forges/unreached.ts";

type Fetch = typeof globalThis.fetch;

/** GitHub itself gives up after ten seconds, and says so. */
const silenceMsMax = 12 * secondMs;

/** In a row; then the host counts as silent until it answers again. */
const unansweredMax = 3;

/**
 * A host that never answers would hold up each call for the longest time. Until a first answer, and after some silent
 * calls, a call is given up early, as if no server listened.
 */
export function fetchUnlessSilent(fetchAnswer: Fetch, msMax: number = silenceMsMax): Fetch {
  let unansweredCalls = unansweredMax;
  return async (input, init) => {
    const isSilent = unansweredCalls >= unansweredMax;
    const early = earlyEnd(isSilent ? msMax : null);
    const signals = [early.signal, ...(init?.signal === undefined || init.signal === null ? [] : [init.signal])];
    try {
      const response = await fetchAnswer(input, { ...init, signal: AbortSignal.any(signals) });
      // Its body may take as long as the caller likes.
      early.calledOff();
      unansweredCalls = 0;
      return response;
    } catch (cause) {
      if (signals.some(({ aborted }) => aborted)) unansweredCalls += 1;
      if (!early.signal.aborted) throw cause;
      throw Object.assign(new Error("the host does not answer", { cause }), { code: noAnswerCode });
    }
  };
}

function earlyEnd(msMax: number | null): { readonly signal: AbortSignal; calledOff(): void } {
  const ending = new AbortController();
  if (msMax === null) return { signal: ending.signal, calledOff: () => undefined };
  const over = AbortSignal.timeout(msMax);
  const end = (): void => ending.abort(over.reason);
  over.addEventListener("abort", end, { once: true });
  return { signal: ending.signal, calledOff: () => over.removeEventListener("abort", end) };
}
