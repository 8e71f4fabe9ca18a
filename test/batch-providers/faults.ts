import type { Wire } from "./batch-provider.ts";

/** What may go wrong on the wire. */
export type Fault =
  /** It happened, and nobody heard of it. */
  | "lost"
  /** It happened, and was answered with an error of the server. */
  | "applied_503"
  /** It did not happen, and was answered with an error of the server. */
  | "refused_503"
  | "rate_limited"
  /** Nobody was there. */
  | "unreachable"
  /** Nobody was there, and nobody can say so. */
  | "dropped"
  | "malformed";

/** Any other trouble: it lets the request through when it likes. */
export type Trouble = (work: () => Promise<Response>) => Promise<Response>;

export interface Faults {
  /** From now on, so many requests that fit go wrong. */
  next(fits: (wire: Pick<Wire, "method" | "path">) => boolean, fault: Fault | Trouble, count?: number): void;
  around(wire: Wire, work: () => Promise<Response>): Promise<Response>;
}

interface Planned {
  readonly fits: (wire: Pick<Wire, "method" | "path">) => boolean;
  readonly fault: Fault | Trouble;
  left: number;
}

export function createFaults(): Faults {
  const planned: Planned[] = [];
  return {
    next: (fits, fault, count = 1) => {
      planned.push({ fits, fault, left: count });
    },
    around: async (wire, work) => {
      const hit = planned.find(({ fits, left }) => left > 0 && fits(wire));
      if (hit === undefined) return await work();
      hit.left -= 1;
      return await (typeof hit.fault === "function" ? hit.fault(work) : happen(hit.fault, work));
    },
  };
}

async function happen(fault: Fault, work: () => Promise<Response>): Promise<Response> {
  const failed = { status: 503, headers: { "content-type": "application/json" } };
  switch (fault) {
    case "lost":
      await work();
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
    case "dropped":
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
    case "unreachable":
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
    case "applied_503":
      await work();
      return new Response('{"error":{"message":"down"}}', failed);
    case "refused_503":
      return new Response('{"error":{"message":"down"}}', failed);
    case "rate_limited":
      return new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { "retry-after": "30" } });
    case "malformed":
      await work();
      return new Response("<html>oops</html>", { status: 200 });
    default:
      return fault satisfies never;
  }
}
