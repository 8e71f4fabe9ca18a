import type { Forge } from "#ports/forge.ts";
import { ForgeError } from "#ports/forge.ts";
import type { Log } from "#ports/log.ts";
import type { Metric } from "#server/metric.ts";

export interface ForgeReach {
  findTrouble(): string | null;
  /** Logs once that the forge is unreachable, and once that it is back. */
  follow(forge: Forge): Forge;
}

export function createForgeReach(log: Log): ForgeReach {
  let trouble: string | null = null;
  const ask = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await call();
      if (trouble !== null) log.info({}, "the forge can be reached again");
      trouble = null;
      return answer;
    } catch (error) {
      if (error instanceof ForgeError && error.isUnreached) {
        if (trouble === null) log.error({ why: error.message }, "the forge cannot be reached");
        trouble = error.message;
      }
      throw error;
    }
  };
  return {
    findTrouble: () => trouble,
    // Every tick and every poll begins with one of these.
    follow: (forge) => ({
      ...forge,
      fetchIdentity: async () => await ask(async () => await forge.fetchIdentity()),
      fetchRepository: async (name) => await ask(async () => await forge.fetchRepository(name)),
      fetchPull: async (pull) => await ask(async () => await forge.fetchPull(pull)),
      fetchOpenPulls: async (repository) => await ask(async () => await forge.fetchOpenPulls(repository)),
    }),
  };
}

export function reachMetric(forges: readonly { readonly name: string; readonly reach: ForgeReach }[]): Metric {
  return {
    name: "drover_forge_reachable",
    help: "0 while a forge cannot be reached; the log says why, once.",
    type: "gauge",
    samples: forges.map(({ name, reach }) => ({
      labels: { forge: name },
      value: reach.findTrouble() === null ? 1 : 0,
    })),
  };
}
