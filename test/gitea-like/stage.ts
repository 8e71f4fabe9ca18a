import { askForge, openScene, type Scene, type Told } from "#forge-like/scene.ts";
import type { SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { type GiteaLike, type GiteaLikeOptions, serveGiteaLike } from "#gitea-like/serve-gitea-like.ts";

/** The scene on a served forge. */
export interface Stage extends Scene {
  readonly gitea: GiteaLike;
  /** One request below `/api/v1`, with this account's token. */
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Told>;
}

export interface Asked {
  /** `rita` unless told otherwise; null: none at all. */
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openStage(
  options: Partial<GiteaLikeOptions> = {},
  quirks: Partial<SandboxQuirks> = {},
): Promise<Stage> {
  const scene = await openScene("gitea", quirks);
  const gitea = await serveGiteaLike({ sandbox: scene.sandbox, ...options });
  for (const account of Object.values(scene.accounts)) gitea.tokens.set(account.login, account);
  return {
    ...scene,
    gitea,
    ask: async (method, path, { token = "rita", body, headers = {} } = {}) =>
      await askForge(`${gitea.url}/api/v1${path}`, {
        method,
        body,
        headers: { ...(token !== null && { authorization: `token ${token}` }), ...headers },
      }),
  };
}
