import type { ForgeKey } from "#app/forge/forge-key.ts";
import { type ForgePlace, placeOf } from "#app/forge/open-forge.ts";
import { type EventRead, readEvent } from "#app/run/read-event.ts";
import { StartError } from "#app/serve/block-secret-file.ts";
import { readSecrets } from "#app/serve/read-secrets.ts";
import type { SecretPlaces } from "#config/read-secret.ts";
import type { RunConfig } from "#config/run-config.ts";
import { makeSecret } from "#config/secret.ts";
import { InstanceId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";

/** What was said about where the pull is, by hand or by the runner. */
export interface TargetAsked {
  readonly repo: string | undefined;
  readonly pull: string | undefined;
  readonly forge: string | undefined;
  readonly apiUrl: string | undefined;
  /** A file; without it the runner's own event. */
  readonly event: string | undefined;
  readonly config: RunConfig | null;
}

/** Which pull, and how to reach it. */
export interface RunTarget {
  readonly place: ForgePlace;
  readonly key: ForgeKey;
  readonly instance: InstanceId;
  readonly writeGapMs: number;
  readonly repository: string;
  readonly number: number;
  readonly isReadOnly: boolean;
}

export type TargetFound =
  | { readonly kind: "found"; readonly target: RunTarget }
  /** The event is about something else: there is nothing to do, and nothing is wrong. */
  | { readonly kind: "no_pull"; readonly why: string };

const forgeKinds = ["github", "gitea", "sandbox"] as const;
type ForgeKind = (typeof forgeKinds)[number];

const tokenVariables: Readonly<Record<ForgeKind, string>> = {
  github: "GITHUB_TOKEN",
  gitea: "GITEA_TOKEN",
  sandbox: "DROVER_SANDBOX_TOKEN",
};

/** Everything that is missing or wrong is a `StartError` that says what to do. */
export async function findTarget(asked: TargetAsked, places: SecretPlaces): Promise<TargetFound> {
  const kind = readKind(asked.forge);
  const event = await findEvent(asked, places);
  if (event?.kind === "no_pull" && asked.pull === undefined) return event;
  const access = (await configuredAccess(asked, kind, places)) ?? environmentAccess(asked, kind, places);
  const told = event?.kind === "pull" ? event : null;
  const repository = readRepository(asked.repo ?? places.env["GITHUB_REPOSITORY"] ?? told?.repository ?? undefined);
  const number = asked.pull === undefined ? told?.number : readNumber(asked.pull);
  if (number === undefined) throw new StartError("which pull? Say --pull N, or run in a job that a pull started.");
  // An event that is about another pull says nothing about this one.
  const isReadOnly = told !== null && told.number === number && told.isReadOnly;
  return { kind: "found", target: { ...access, repository, number, isReadOnly } };
}

function readKind(asked: string | undefined): ForgeKind {
  const kind = forgeKinds.find((one) => one === (asked ?? "github"));
  if (kind === undefined) throw new StartError(`--forge ${asked}: expected ${forgeKinds.join(", ")}.`);
  if (kind === "gitea") throw new StartError("--forge gitea: Gitea and Forgejo are not served yet; github is.");
  return kind;
}

async function findEvent(asked: TargetAsked, { env, readFile }: SecretPlaces): Promise<EventRead | null> {
  const path = asked.event ?? env["GITHUB_EVENT_PATH"];
  if (path === undefined || path === "") return null;
  let text: string;
  try {
    text = await readFile(path);
  } catch (error) {
    throw new StartError(
      `the event ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  // A file that was named by hand need not be the event of this job.
  const read = readEvent({ name: asked.event === undefined ? env["GITHUB_EVENT_NAME"] : undefined, text });
  if (read.kind === "unreadable") throw new StartError(`the event ${path} cannot be understood: ${read.why}`);
  return read;
}

type Access = Pick<RunTarget, "place" | "key" | "instance" | "writeGapMs">;

/** The forge of that kind in the configuration, where it has one; the address tells several apart. */
async function configuredAccess(asked: TargetAsked, kind: ForgeKind, places: SecretPlaces): Promise<Access | null> {
  const forge = (asked.config?.forges ?? []).find((one) => {
    return one.kind === kind && (asked.apiUrl === undefined || placeOf(one).url === asked.apiUrl);
  });
  if (forge === undefined) return null;
  const [access] = await readSecrets({ forges: [{ ...forge, webhookSecrets: [] }] }, places);
  if (access === undefined) return null;
  const writeGapMs = forge.kind === "github" ? forge.writeGapMs : (forge.spans.writeGapMs ?? usualGapMs.sandbox);
  return { place: placeOf(forge), key: access.key, instance: forge.name, writeGapMs };
}

const usualGapMs = { github: secondMs, sandbox: 0 } as const;

function environmentAccess(asked: TargetAsked, kind: ForgeKind, { env }: SecretPlaces): Access {
  const variable = tokenVariables[kind];
  const token = env[variable] ?? "";
  if (token === "") throw new StartError(`${variable} is not set: Drover reads the token of the forge from it.`);
  const url = addressOf(asked, kind, env);
  return {
    place: kind === "sandbox" ? { kind, url } : { kind: "github", url },
    key: { kind: "token", token: makeSecret(token) },
    instance: InstanceId.parse(kind),
    writeGapMs: kind === "sandbox" ? usualGapMs.sandbox : usualGapMs.github,
  };
}

function addressOf(asked: TargetAsked, kind: ForgeKind, env: SecretPlaces["env"]): string {
  const url = asked.apiUrl ?? (kind === "github" ? (env["GITHUB_API_URL"] ?? "https://api.github.com") : undefined);
  if (url === undefined) throw new StartError("--api-url is needed: where the sandbox is served.");
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, "");
  throw new StartError(`${url}: expected an address such as https://api.github.com.`);
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
