import { z } from "zod";
import type { SandboxFault, SandboxFaultSource } from "#forges/sandbox/sandbox.ts";

const Fault = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("lost_response") }),
  z.strictObject({ kind: z.literal("server_error"), isApplied: z.boolean() }),
  z.strictObject({ kind: z.literal("rate_limited"), retryAfterMs: z.number().int().nonnegative().nullable() }),
  z.strictObject({ kind: z.literal("timeout"), isApplied: z.boolean() }),
  z.strictObject({ kind: z.literal("expired_token") }),
  z.strictObject({ kind: z.literal("stale"), ms: z.number().int().positive() }),
]) satisfies z.ZodType<SandboxFault>;

export const FaultAsked = z.strictObject({
  fault: Fault,
  times: z.number().int().positive().max(1000).default(1),
  account: z.string().default("drover"),
  calls: z.enum(["all", "reads", "writes"]).default("all"),
});
export type FaultAsked = z.infer<typeof FaultAsked>;

export interface OrderedFaults {
  readonly source: SandboxFaultSource;
  order(asked: FaultAsked): { readonly ordered: number };
}

export function createOrderedFaults(others: SandboxFaultSource): OrderedFaults {
  const orders: { readonly asked: FaultAsked; left: number }[] = [];
  return {
    source: (call) => {
      const index = orders.findIndex(
        ({ asked: { account, calls } }) =>
          account === call.account.login && (calls === "all" || (calls === "writes") === call.isWrite),
      );
      const found = orders[index];
      if (found === undefined) return others(call);
      found.left -= 1;
      if (found.left === 0) orders.splice(index, 1);
      return found.asked.fault;
    },
    order: (asked) => {
      orders.push({ asked, left: asked.times });
      return { ordered: orders.length };
    },
  };
}
