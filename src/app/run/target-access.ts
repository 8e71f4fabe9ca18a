import type { ForgeCredentials } from "#app/forge/forge-credentials.ts";
import { type ForgeLocation, forgeLocationOf } from "#app/forge/open-forge.ts";
import { readForgeSecrets } from "#app/serve/read-forge-secrets.ts";
import { StartError } from "#app/start-error.ts";
import { giteaWriteGapMs } from "#config/operator-config.ts";
import { isPlainUrl } from "#config/plain-url.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import type { RunConfig } from "#config/run-config.ts";
import { makeSecret } from "#config/secret.ts";
import { InstanceId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";

export type ForgeKind = ForgeLocation["kind"];

/** How a pull is reached. */
export interface TargetAccess {
  readonly location: ForgeLocation;
  readonly key: ForgeCredentials;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
}

export interface AccessAsked {
  readonly kind: ForgeKind;
  readonly apiUrl?: string | undefined;
  /** The address came with that of the pull: the token may not belong there. */
  readonly isPasted: boolean;
  readonly config: RunConfig | null;
}

/** The forge of that kind in the configuration, where it has one; else what the environment says. */
export async function findAccess(asked: AccessAsked, places: SecretLookup): Promise<TargetAccess> {
  return (await configuredAccess(asked, places)) ?? environmentAccess(asked, places.env);
}

/** A job of Gitea Actions. It has GitHub's variables too, with Gitea's values. */
export function isGiteaJob(env: SecretLookup["env"]): boolean {
  return env["GITEA_ACTIONS"] === "true" || env["FORGEJO_ACTIONS"] === "true";
}

/** The address tells several forges of one kind apart. */
async function configuredAccess(
  { kind, apiUrl, config }: AccessAsked,
  places: SecretLookup,
): Promise<TargetAccess | null> {
  const url = apiUrl === undefined ? undefined : plainAddress(kind, apiUrl);
  const forge = (config?.forges ?? []).find((one) => {
    return one.kind === kind && (url === undefined || plainAddress(kind, forgeLocationOf(one).url) === url);
  });
  if (forge === undefined) return null;
  const [access] = await readForgeSecrets({ forges: [{ ...forge, webhookSecrets: [] }] }, places);
  if (access === undefined) return null;
  const writeGapMs = forge.kind === "sandbox" ? (forge.spans.writeGapMs ?? usualGapMs.sandbox) : forge.writeGapMs;
  return { location: forgeLocationOf(forge), key: access.key, instance: forge.name, writeGapMs };
}

const usualGapMs: Readonly<Record<ForgeKind, number>> = { github: secondMs, gitea: giteaWriteGapMs, sandbox: 0 };

function environmentAccess(asked: AccessAsked, env: SecretLookup["env"]): TargetAccess {
  const { kind, apiUrl, isPasted, config } = asked;
  const home = homeOf(kind, env);
  const url = apiUrl === undefined ? home : plainAddress(kind, apiUrl);
  if (url === undefined) throw new StartError(`--api-url is needed: ${whatIsServed[kind]}.`);
  const token = tokenOf(kind, { env, isAtHome: url === home });
  // The configuration has its tokens from the environment too, and says where they belong.
  const known = home ?? config?.forges?.filter((one) => one.kind === kind).map((one) => forgeLocationOf(one).url)[0];
  if (isPasted && known !== undefined && url !== home) {
    throw new StartError(
      `the token in the environment is for ${known}: use --api-url ${url} to send it there instead.`,
    );
  }
  const key = { kind: "token", token: makeSecret(token) } as const;
  return { location: { kind, url }, key, instance: InstanceId.parse(kind), writeGapMs: usualGapMs[kind] };
}

const whatIsServed: Readonly<Record<ForgeKind, string>> = {
  github: "where GitHub's API is served",
  gitea: "where the Gitea server is, such as https://git.example (or set GITEA_URL)",
  sandbox: "where the sandbox is served",
};

/** Where the token of the environment belongs, as far as the environment says it. */
function homeOf(kind: ForgeKind, env: SecretLookup["env"]): string | undefined {
  const job = env["GITHUB_API_URL"] ?? env["GITHUB_SERVER_URL"];
  if (kind === "sandbox") return undefined;
  if (kind === "gitea") {
    const url = env["GITEA_URL"] ?? (isGiteaJob(env) ? job : undefined);
    return url === undefined ? undefined : plainAddress(kind, url);
  }
  return plainAddress(kind, (isGiteaJob(env) ? undefined : env["GITHUB_API_URL"]) ?? "https://api.github.com");
}

/** The last one is what a job is given. It is nobody else's business than that of the server that gave it. */
const tokenVariables: Readonly<Record<ForgeKind, readonly string[]>> = {
  github: ["GITHUB_TOKEN"],
  gitea: ["GITEA_TOKEN", "FORGEJO_TOKEN", "GITHUB_TOKEN"],
  sandbox: ["DROVER_SANDBOX_TOKEN"],
};

function tokenOf(
  kind: ForgeKind,
  { env, isAtHome }: { readonly env: SecretLookup["env"]; readonly isAtHome: boolean },
): string {
  const isGiven = isGiteaJob(env) && isAtHome;
  const names = tokenVariables[kind].filter((name) => kind !== "gitea" || name !== "GITHUB_TOKEN" || isGiven);
  const token = names.map((name) => env[name] ?? "").find((value) => value !== "");
  if (token !== undefined) return token;
  throw new StartError(`${names[0]} is not set: Drover reads the token of the forge from it.`);
}

/** As clients take it: Gitea's is the root of the server, whoever has given that of its API. */
function plainAddress(kind: ForgeKind, url: string): string {
  if (!isPlainUrl(url)) throw new StartError(`expected an address such as ${examples[kind]}, and nothing else in it.`);
  const { origin, pathname } = new URL(url);
  const plain = (origin + pathname).replace(/\/+$/, "");
  return kind === "gitea" ? plain.replace(/\/api\/v1$/, "") : plain;
}

const examples: Readonly<Record<ForgeKind, string>> = {
  github: "https://api.github.com",
  gitea: "https://git.example",
  sandbox: "http://127.0.0.1:4171",
};
