import type { RunConfig } from "#app/config/run-config.ts";
import { descriptorOf, settingsOf } from "#app/forge/forge-table.ts";
import { forgeLocationOf } from "#app/forge/open-forge.ts";
import { readForgeSecrets } from "#app/serve/read-forge-secrets.ts";
import { StartError } from "#app/start-error.ts";
import { isPlainUrl } from "#config/plain-url.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import { makeSecret } from "#config/secret.ts";
import { InstanceId } from "#core/model/ids.ts";
import type { ForgeCredentials } from "#forges/forge-credentials.ts";
import type { ForgeLocation } from "#forges/forge-descriptor.ts";

export interface TargetAccess {
  readonly location: ForgeLocation;
  readonly key: ForgeCredentials;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
}

export interface AccessAsked {
  readonly kind: string;
  readonly apiUrl?: string | undefined;
  /** The address came with the pull, so the token may not belong there. */
  readonly isPasted: boolean;
  readonly config: RunConfig | null;
}

export async function findAccess(asked: AccessAsked, places: SecretLookup): Promise<TargetAccess> {
  return (await configuredAccess(asked, places)) ?? environmentAccess(asked, places.env);
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
  const { writeGapMs = descriptorOf(kind).run.writeGapMs } = settingsOf(forge);
  return { location: forgeLocationOf(forge), key: access.key, instance: forge.name, writeGapMs };
}

function environmentAccess(asked: AccessAsked, env: SecretLookup["env"]): TargetAccess {
  const { kind, apiUrl, isPasted, config } = asked;
  const { run } = descriptorOf(kind);
  const home = homeOf(kind, env);
  const url = apiUrl === undefined ? home : plainAddress(kind, apiUrl);
  if (url === undefined) throw new StartError(`--api-url is needed: ${run.urlMeaning}.`);
  const token = tokenOf(kind, { env, isAtHome: url === home });
  // The configuration has its tokens from the environment too, and says where they belong.
  const known = home ?? config?.forges?.filter((one) => one.kind === kind).map((one) => forgeLocationOf(one).url)[0];
  if (isPasted && known !== undefined && url !== home) {
    throw new StartError(
      `the token in the environment is for ${known}: use --api-url ${url} to send it there instead.`,
    );
  }
  const key = { kind: "token", token: makeSecret(token) } as const;
  return { location: { kind, url }, key, instance: InstanceId.parse(kind), writeGapMs: run.writeGapMs };
}

function homeOf(kind: string, env: SecretLookup["env"]): string | undefined {
  const url = descriptorOf(kind).run.findHome(env);
  return url === undefined ? undefined : plainAddress(kind, url);
}

/** Only the server that gave a job its token may receive it. */
function tokenOf(
  kind: string,
  { env, isAtHome }: { readonly env: SecretLookup["env"]; readonly isAtHome: boolean },
): string {
  const { run } = descriptorOf(kind);
  const isGiven = isAtHome && run.isJob(env) && run.jobTokenVariable !== undefined;
  const names = isGiven ? [...run.tokenVariables, run.jobTokenVariable] : run.tokenVariables;
  const token = names.map((name) => env[name] ?? "").find((value) => value !== "");
  if (token !== undefined) return token;
  throw new StartError(`${names[0]} is not set: Drover reads the token of the forge from it.`);
}

function plainAddress(kind: string, url: string): string {
  const { exampleUrl, clientUrl } = descriptorOf(kind).run;
  if (!isPlainUrl(url)) throw new StartError(`expected an address such as ${exampleUrl}, and nothing else in it.`);
  const { origin, pathname } = new URL(url);
  const plain = (origin + pathname).replace(/\/+$/, "");
  return clientUrl?.(plain) ?? plain;
}
