import { type Installation, type InstallationOptions, startInstallation } from "#app/serve/installation.ts";
import type { ForgeAccess } from "#app/serve/read-secrets.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import type { InstanceId } from "#core/model/ids.ts";

/** All forges that this server works on, as the configuration in force has them. */
export interface Fleet {
  list(): readonly Installation[];
  /** Starts what is new, stops what is gone, and begins anew what has changed; the rest goes on undisturbed. */
  apply(config: OperatorConfig, accesses: readonly ForgeAccess[]): Promise<void>;
  /** Ends or hands back within that time. Answers how many were handed back. */
  stop(withinMs: number): Promise<number>;
}

type Common = Pick<InstallationOptions, "database" | "git" | "clock" | "log" | "secret">;

interface Member {
  readonly installation: Installation;
  /** What it was made of: another text means another installation. */
  readonly made: string;
}

export function createFleet(common: Common): Fleet {
  const members = new Map<InstanceId, Member>();
  let inForce: OperatorConfig | null = null;
  const { clock } = common;
  const stopOne = async ({ installation }: Member, withinMs: number): Promise<number> => {
    const ended = new AbortController();
    const stopping = installation.stop().finally(() => ended.abort());
    await clock.sleep(withinMs, ended.signal);
    if (ended.signal.aborted) return 0;
    const handed = await installation.handBack();
    await stopping;
    return handed;
  };
  const rules = (): OperatorConfig["rules"] => {
    if (inForce === null) throw new Error("nothing is configured yet");
    return inForce.rules;
  };
  return {
    list: () => [...members.values()].map(({ installation }) => installation),
    apply: async (config, accesses) => {
      const wanted = new Map(accesses.map((access) => [access.forge.name, describe(config, access)]));
      inForce = config;
      const leaving = [...members].filter(([name, { made }]) => wanted.get(name) !== made);
      for (const [name] of leaving) members.delete(name);
      await Promise.all(leaving.map(([, member]) => stopOne(member, config.stopMs)));
      for (const access of accesses) {
        const { name } = access.forge;
        if (members.has(name)) continue;
        const { workers, limits } = config;
        const installation = await startInstallation({ ...common, ...access, workers, limits, rules });
        members.set(name, { installation, made: wanted.get(name) ?? "" });
      }
    },
    stop: async (withinMs) => {
      const handed = await Promise.all([...members.values()].map((member) => stopOne(member, withinMs)));
      members.clear();
      return handed.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** The secret parts as well, or a new token would be noticed only by the next start. */
function describe({ workers, limits }: OperatorConfig, { forge, token }: ForgeAccess): string {
  return JSON.stringify({ forge, token: token.reveal(), workers, limits });
}
