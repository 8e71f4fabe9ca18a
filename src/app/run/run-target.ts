import type { RunConfig } from "#app/config/run-config.ts";
import { defaultForgeKind, forgeKinds } from "#app/forge/forge-kinds.ts";
import { descriptorOf, findPullAddress, settingsOf } from "#app/forge/forge-table.ts";
import { forgeLocationOf } from "#app/forge/open-forge.ts";
import { type EventRead, readEvent } from "#app/run/read-event.ts";
import { readForgeSecrets } from "#app/serve/read-forge-secrets.ts";
import { StartError } from "#app/start-error.ts";
import { isPlainUrl } from "#config/plain-url.ts";
import type { SecretLookup } from "#config/read-secret.ts";
import { makeSecret } from "#config/secret.ts";
import { errorText } from "#core/error-text.ts";
import { InstanceId } from "#core/model/ids.ts";
import type { ForgeCredentials } from "#forges/forge-credentials.ts";
import type { ForgeLocation } from "#forges/forge-descriptor.ts";

export interface TargetAsked {
  readonly repo?: string | undefined;
  readonly pull?: string | undefined;
  readonly forge?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly event?: string | undefined;
  readonly config: RunConfig | null;
}

export interface RunTarget extends TargetAccess {
  readonly repository: string;
  readonly number: number;
  readonly isReadOnly: boolean;
  readonly isJob: boolean;
}

export type TargetFound =
  | { readonly kind: "found"; readonly target: RunTarget }
  | { readonly kind: "no_pull"; readonly why: string };

export async function findTarget(given: TargetAsked, places: SecretLookup): Promise<TargetFound> {
  const asked = withAddress(given);
  const { env } = places;
  const kind = findKind(asked, env);
  const event = await findEvent(asked, places);
  if (event?.kind === "no_pull" && asked.pull === undefined) return event;
  const access = await findAccess({ ...asked, kind }, places);
  const told = event?.kind === "pull" ? event : null;
  const repository = readRepository(asked.repo ?? env["GITHUB_REPOSITORY"] ?? told?.repository ?? undefined);
  const number = asked.pull === undefined ? told?.number : readNumber(asked.pull);
  if (number === undefined) throw new StartError("which pull? Say --pull N, or run in a job that a pull started.");
  // An event that is about another pull says nothing about this one.
  const isReadOnly = told !== null && told.number === number && told.isReadOnly;
  const location = withJob(access.location, { repository, env });
  return {
    kind: "found",
    target: { ...access, location, repository, number, isReadOnly, isJob: descriptorOf(kind).run.isJob(env) },
  };
}

/** Only a job of this repository has a check on the head. */
function withJob(
  location: ForgeLocation,
  { repository, env }: { readonly repository: string; readonly env: SecretLookup["env"] },
): ForgeLocation {
  const { run } = descriptorOf(location.kind);
  const job = run.isJob(env) && env["GITHUB_REPOSITORY"] === repository ? run.findJob?.(env) : undefined;
  return job === undefined ? location : { ...location, job };
}

interface Said extends TargetAsked {
  readonly isPasted: boolean;
}

/** The address says the forge, the server and the repository, so another option for one of them is a mistake. */
function withAddress(asked: TargetAsked): Said {
  if (asked.pull === undefined || !asked.pull.includes("/")) return { ...asked, isPasted: false };
  const address = findPullAddress(asked.pull);
  if (address === undefined) {
    throw new StartError(`${asked.pull}: expected the address of a pull, such as https://git.example/o/r/pulls/7.`);
  }
  const { kind: forge, repository: repo, number: pull, url } = address;
  if (asked.forge !== undefined && asked.forge !== forge)
    throw new StartError(`--forge ${asked.forge}: ${pull} is on ${forge}.`);
  if (asked.repo !== undefined && asked.repo !== repo)
    throw new StartError(`--repo ${asked.repo}: ${asked.pull} is in ${repo}.`);
  return { ...asked, forge, repo, pull, apiUrl: asked.apiUrl ?? url, isPasted: asked.apiUrl === undefined };
}

/** Without --forge: that of the job, else the only one of the configuration, else the default. */
function findKind({ forge, config }: TargetAsked, env: SecretLookup["env"]): string {
  if (forge !== undefined) {
    if (forgeKinds.includes(forge)) return forge;
    throw new StartError(`--forge ${forge}: expected ${forgeKinds.join(", ")}.`);
  }
  const ofJob = forgeKinds.find((kind) => descriptorOf(kind).run.isJob(env));
  if (ofJob !== undefined) return ofJob;
  const [only = defaultForgeKind, ...others] = new Set((config?.forges ?? []).map((one) => one.kind));
  return others.length === 0 ? only : defaultForgeKind;
}

async function findEvent(asked: TargetAsked, { env, readFile }: SecretLookup): Promise<EventRead | null> {
  const path = asked.event ?? env["GITHUB_EVENT_PATH"];
  if (path === undefined || path === "") return null;
  let text: string;
  try {
    text = await readFile(path);
  } catch (error) {
    throw new StartError(`the event ${path} cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
  // A file that was named by hand need not be the event of this job.
  const read = readEvent({ name: asked.event === undefined ? env["GITHUB_EVENT_NAME"] : undefined, text });
  if (read.kind === "unreadable") throw new StartError(`the event ${path} cannot be understood: ${read.why}`);
  return read;
}

function readRepository(name: string | undefined): string {
  if (name === undefined || name === "") throw new StartError("which repository? Say --repo owner/name.");
  if (/^[^/\s]+\/[^/\s]+$/.test(name)) return name;
  throw new StartError(`--repo ${name}: expected owner/name.`);
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new StartError(`--pull ${text}: expected the number of a pull.`);
}

interface TargetAccess {
  readonly location: ForgeLocation;
  readonly key: ForgeCredentials;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
}

interface AccessAsked {
  readonly kind: string;
  readonly apiUrl?: string | undefined;
  /** The address came with the pull, so the token may not belong there. */
  readonly isPasted: boolean;
  readonly config: RunConfig | null;
}

async function findAccess(asked: AccessAsked, places: SecretLookup): Promise<TargetAccess> {
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
