import type { ForgeConfig, ForgeConfigSchema } from "#config/forge-config.ts";
import type { SecretSource } from "#config/secret-source.ts";
import type { ForgeCallCost } from "#forges/forge-call-cost.ts";
import type { ForgeCredentials } from "#forges/forge-credentials.ts";
import type { ListedBot } from "#forges/listed-bots.ts";
import type { SignedWebhookSettings } from "#forges/read-webhook.ts";
import type { Clock } from "#ports/clock.ts";
import type { Durations } from "#ports/dependencies.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { WebhookSource } from "#ports/webhook-source.ts";

/**
 * All that Drover has to know of one kind of forge. What takes a section of the configuration is a method, because the compiler
 * lets a table hold methods of different parameters. The table finds a descriptor by the section's kind, so the types are right.
 */
export interface ForgeDescriptor<Config extends ForgeConfig = ForgeConfig> {
  /** Its section of the operator's file. */
  readonly config: ForgeConfigSchema<Config>;
  /** What a server misses in a section that is well formed. */
  findServerProblem?(config: Config): string | undefined;
  settingsOf(config: Config): ForgeSettings;
  /** A client whose texts still have to be masked: only `openForge` calls this. Nothing is asked of the forge yet. */
  readonly openUnmasked: (options: ForgeClientOptions) => Forge;
  /** Absent if it sends its webhooks in the manner of another kind. */
  readonly createWebhook?: (settings: WebhookSettings) => WebhookSource;
  /** The repositories that an App was installed in. */
  readonly listRepositories?: (options: Pick<ForgeClientOptions, "url" | "key" | "clock">) => Promise<RepositoryList>;
  /** How git reaches its repositories, if not by the protocol of its address. */
  readonly gitProtocols?: readonly "file"[];
  /** Folders of a repository in which it looks for CODEOWNERS, before the root and `docs`. */
  readonly codeOwnersFolders: readonly string[];
  /** Where people see a pull. */
  readonly pullPage: (url: string, pull: PullRef) => string;
  /** Undefined if a pull of this kind of forge is never at such an address. */
  readonly findPullAddress?: (address: URL) => PullAddress | undefined;
  readonly run: RunEnvironment;
  readonly workflow?: WorkflowTemplate;
}

/** What one section of the configuration means, whatever its kind. */
export interface ForgeSettings extends Pick<ForgeLocation, "url" | "merging" | "approves"> {
  readonly key: CredentialSource;
  /** Between two writes; absent: the usual time. */
  readonly writeGapMs?: number | undefined;
  /** Absent: the usual ones. */
  readonly durations?: Durations;
}

export type CredentialSource =
  | { readonly kind: "token"; readonly token: SecretSource | undefined }
  | {
      readonly kind: "app";
      readonly id: string;
      readonly privateKey: SecretSource;
      readonly installation: number | null;
    };

/** Where a forge is, and what its client is told. A client passes over what its forge does not know. */
export interface ForgeLocation {
  readonly kind: string;
  readonly url: string;
  readonly bots?: readonly ListedBot[];
  readonly gateName?: string | undefined;
  readonly merging?: "direct" | "forge" | undefined;
  readonly approves?: boolean | undefined;
  /** The CI job that this client works for. */
  readonly job?: { readonly workflow: string; readonly id: string } | undefined;
}

export interface ForgeClientOptions extends ForgeLocation {
  readonly key: ForgeCredentials;
  readonly clock: Clock;
  /** Told of each token that was made for some calls, by forges that make them. */
  readonly onToken?: ((token: string) => void) | undefined;
  /** Told what each answer cost, by forges that count. */
  readonly onSpent?: ((spent: ForgeCallCost) => void) | undefined;
}

export interface WebhookSettings extends SignedWebhookSettings {
  readonly gateName?: string | undefined;
}

export interface RepositoryList {
  readonly names: readonly string[];
  /** Whether a list was too long to be read to its end. */
  readonly isCut: boolean;
}

/** A pull as the address bar of a browser names it. */
export interface PullAddress {
  /** The root of GitHub's API, or of the server. */
  readonly url: string;
  readonly repository: string;
  readonly number: string;
}

/** What one run finds in its environment if the configuration does not name the forge. */
export interface RunEnvironment {
  /** The variables that may hold the token; the first one is asked for if none does. */
  readonly tokenVariables: readonly string[];
  /** Holds the token of a CI job, which belongs to the server of the job alone. */
  readonly jobTokenVariable?: string;
  readonly exampleUrl: string;
  /** What `--api-url` names. */
  readonly urlMeaning: string;
  readonly writeGapMs: number;
  /** Whether the process is a CI job of this kind of forge. */
  readonly isJob: (env: Environment) => boolean;
  /** The job, if its client can make use of it. */
  readonly findJob?: (env: Environment) => ForgeLocation["job"];
  /** Where the token belongs, as far as the environment says it. */
  readonly findHome: (env: Environment) => string | undefined;
  /** The address that its client takes, whoever has given that of its API. */
  readonly clientUrl?: (url: string) => string;
  /** Whether a token is as good for the next run. */
  readonly isTokenLasting: (token: string, run: { readonly isJob: boolean }) => boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The workflow that `drover init --workflow` writes. */
export interface WorkflowTemplate {
  readonly path: string;
  /** What `--action` may name. */
  readonly actionPattern: RegExp;
  /** Said to somebody who named no action. */
  readonly actionMissing: string;
  /** How the repository gets its secrets. */
  readonly secretLines: readonly string[];
  readonly textOf: (options: { readonly action: string; readonly timeoutMinutes: number }) => string;
}
