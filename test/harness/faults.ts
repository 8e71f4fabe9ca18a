import type { SandboxFault, SandboxFaultSource } from "#forges/sandbox/sandbox.ts";

/** Trouble that a story orders, by the name of an endpoint (`create_comment`), or for all of them. */
export interface Faults {
  readonly source: SandboxFaultSource;
  /** The next calls of this endpoint, as many as there are faults, go wrong one after the other. */
  next(endpoint: string, ...faults: readonly SandboxFault[]): void;
  /** All calls that match go wrong until `clear`. */
  always(matches: (call: Parameters<SandboxFaultSource>[0]) => boolean, fault: SandboxFault): void;
  clear(): void;
  /** How often each endpoint was called. */
  callsOf(endpoint: string): number;
}

export function createFaults(): Faults {
  const ordered = new Map<string, SandboxFault[]>();
  const standing: { readonly matches: Parameters<Faults["always"]>[0]; readonly fault: SandboxFault }[] = [];
  const calls = new Map<string, number>();
  return {
    source: (call) => {
      const { endpoint } = call;
      calls.set(endpoint, (calls.get(endpoint) ?? 0) + 1);
      const next = ordered.get(endpoint)?.shift();
      return next ?? standing.find(({ matches }) => matches(call))?.fault ?? null;
    },
    next: (endpoint, ...faults) => {
      ordered.set(endpoint, [...(ordered.get(endpoint) ?? []), ...faults]);
    },
    always: (matches, fault) => {
      standing.push({ matches, fault });
    },
    clear: () => {
      ordered.clear();
      standing.length = 0;
    },
    callsOf: (endpoint) => calls.get(endpoint) ?? 0,
  };
}
