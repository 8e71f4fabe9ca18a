import { askForge, openScene, type Scene, type Told } from "#forge-like/scene.ts";
import type { SandboxQuirks } from "#forges/sandbox/sandbox.ts";
import { type GithubLike, type GithubLikeOptions, serveGithubLike } from "#github-like/serve-github-like.ts";

/** The scene on a served forge; drover is an App. */
export interface Stage extends Scene {
  readonly github: GithubLike;
  /** One request, with this account's token. */
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Told>;
  readonly graphql: (query: string, variables?: object, token?: string) => Promise<Told>;
}

export interface Asked {
  /** `rita` unless told otherwise. */
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function openStage(
  quirks: Partial<SandboxQuirks> = {},
  options: Partial<GithubLikeOptions> = {},
): Promise<Stage> {
  const scene = await openScene("github", quirks);
  const { sandbox, accounts } = scene;
  const github = await serveGithubLike({ sandbox, app: { bot: accounts.drover }, ...options });
  for (const account of Object.values(accounts)) github.tokens.set(account.login, account);
  const ask: Stage["ask"] = async (method, path, { token = "rita", body, headers = {} } = {}) =>
    await askForge(github.url + path, {
      method,
      body,
      headers: { authorization: `Bearer ${token}`, "user-agent": "a test", ...headers },
    });
  return {
    ...scene,
    github,
    ask,
    graphql: (query, variables = {}, token = "rita") => ask("POST", "/graphql", { token, body: { query, variables } }),
  };
}
