import type { ConfiguredModels } from "#app/models/open-models.ts";
import { type Installation, type InstallationOptions, openInstallation } from "#app/serve/installation.ts";
import type { ForgeAccess } from "#app/serve/read-forge-secrets.ts";
import type { OperatorConfig } from "#config/operator-config.ts";
import { errorText } from "#core/error-text.ts";
import type { InstanceId } from "#core/model/ids.ts";
import { revealCredentials } from "#forges/forge-credentials.ts";

export interface Installations {
  list(): readonly Installation[];
  /** All or nothing: starts what is new and restarts what changed. The old ones end within the configured time. */
  apply(wanted: OpenedConfig): Promise<void>;
  /** Answers how many were handed back. */
  stop(withinMs: number): Promise<number>;
}

export interface OpenedConfig {
  readonly config: OperatorConfig;
  readonly accesses: readonly ForgeAccess[];
  readonly models: ConfiguredModels;
}

type Common = Pick<InstallationOptions, "database" | "git" | "clock" | "log" | "secret" | "secrets" | "health">;

interface Member {
  readonly installation: Installation;
  readonly made: string;
}

type Members = ReadonlyMap<InstanceId, Member>;

export function createInstallations(common: Common): Installations {
  let members: Members = new Map();
  let inForce: OpenedConfig | null = null;
  const leaving = new Set<Promise<number>>();
  const stopAll = async (those: readonly Member[], withinMs: number): Promise<number> => {
    const handed = await Promise.all(those.map(({ installation }) => stopOne(common, installation, withinMs)));
    return handed.reduce((sum, count) => sum + count, 0);
  };
  /** New ones run beside those that they replace, which is safe: two on one forge are like two replicas. */
  const openNew = async (wanted: OpenedConfig): Promise<Members> => {
    const { config, accesses } = wanted;
    const { workers, limits } = config;
    const rules = (): OperatorConfig["rules"] => (inForce ?? wanted).config.rules;
    const models = (): ConfiguredModels => (inForce ?? wanted).models;
    const budgets = (): OperatorConfig["budgets"] => (inForce ?? wanted).config.budgets;
    const opened = new Map<InstanceId, Member>();
    try {
      for (const access of accesses) {
        const { name } = access.forge;
        const made = describe(config, access);
        if (members.get(name)?.made === made) continue;
        const installation = await openInstallation({ ...common, ...access, workers, limits, rules, models, budgets });
        opened.set(name, { installation, made });
      }
      return opened;
    } catch (error) {
      await stopAll([...opened.values()], 0);
      throw error;
    }
  };
  return {
    list: () => [...members.values()].map(({ installation }) => installation),
    apply: async (wanted) => {
      const { config, accesses } = wanted;
      const opened = await openNew(wanted);
      const names = new Set(accesses.map(({ forge }) => forge.name));
      const staying = [...members].filter(([name]) => names.has(name) && !opened.has(name));
      const going = [...members.values()].filter((member) => !staying.some(([, stays]) => stays === member));
      members = new Map([...staying, ...opened]);
      inForce = wanted;
      for (const { installation } of opened.values()) installation.begin();
      const left = stopAll(going, config.stopMs).finally(() => leaving.delete(left));
      leaving.add(left);
    },
    stop: async (withinMs) => {
      const ending = stopAll([...members.values()], withinMs);
      members = new Map();
      const handed = await Promise.all([ending, ...leaving]);
      return handed.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** However it ends, the process ends too: what was not handed back has a lease that expires. */
async function stopOne({ clock, log }: Common, installation: Installation, withinMs: number): Promise<number> {
  const ended = new AbortController();
  const stopping = installation
    .stop()
    .catch((error: unknown) => {
      log.warn(
        { forge: installation.dependencies.instance, why: errorText(error) },
        "an installation did not end in order",
      );
    })
    .finally(() => ended.abort());
  await clock.sleep(withinMs, ended.signal);
  const handed = ended.signal.aborted ? 0 : await installation.releaseAll();
  await stopping;
  return handed;
}

/** With the secrets, so that a reload notices a new token. */
function describe({ workers, limits }: OperatorConfig, { forge, key }: ForgeAccess): string {
  return JSON.stringify({ forge, key: revealCredentials(key), workers, limits });
}
