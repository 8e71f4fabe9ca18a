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

/** Methods take the configuration, so that one table can hold descriptors of different sections; it finds them by kind. */
export interface ForgeDescriptor<Config extends ForgeConfig = ForgeConfig> {
  readonly config: ForgeConfigSchema<Config>;
  findServerProblem?(config: Config): string | undefined;
  settingsOf(config: Config): ForgeSettings;
  /** Texts are not masked yet: only `openForge` calls this. Makes no call. */
  readonly openUnmasked: (options: ForgeClientOptions) => Forge;
  readonly createWebhook?: (settings: WebhookSettings) => WebhookSource;
  readonly listRepositories?: (options: Pick<ForgeClientOptions, "url" | "key" | "clock">) => Promise<RepositoryList>;
  /** Absent: git uses the protocol of its address. */
  readonly gitProtocols?: readonly "file"[];
  readonly codeOwnersFolders: readonly string[];
  readonly pullPage: (url: string, pull: PullRef) => string;
  /** Undefined if this kind of forge has no pull at such an address. */
  readonly findPullAddress?: (address: URL) => PullAddress | undefined;
  readonly run: RunEnvironment;
  readonly workflow?: WorkflowTemplate;
}

export interface ForgeSettings extends Pick<ForgeLocation, "url" | "merging" | "approves"> {
  readonly key: CredentialSource;
  /** Between two writes; absent: the usual time. */
  readonly writeGapMs?: number | undefined;
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

/** A client ignores what its forge does not know. */
export interface ForgeLocation {
  readonly kind: string;
  readonly url: string;
  readonly bots?: readonly ListedBot[];
  readonly gateName?: string | undefined;
  readonly merging?: "direct" | "forge" | undefined;
  readonly approves?: boolean | undefined;
  readonly job?: { readonly workflow: string; readonly id: string } | undefined;
}

export interface ForgeClientOptions extends ForgeLocation {
  readonly key: ForgeCredentials;
  readonly clock: Clock;
  readonly onToken?: ((token: string) => void) | undefined;
  readonly onSpent?: ((spent: ForgeCallCost) => void) | undefined;
}

export interface WebhookSettings extends SignedWebhookSettings {
  readonly gateName?: string | undefined;
}

export interface RepositoryList {
  readonly names: readonly string[];
  readonly isCut: boolean;
}

export interface PullAddress {
  readonly url: string;
  readonly repository: string;
  readonly number: string;
}

/** For one run whose configuration does not name the forge. */
export interface RunEnvironment {
  /** The first one is asked for if none holds a token. */
  readonly tokenVariables: readonly string[];
  /** Holds the token of a CI job, which belongs to the server of the job alone. */
  readonly jobTokenVariable?: string;
  readonly exampleUrl: string;
  readonly urlMeaning: string;
  readonly writeGapMs: number;
  readonly isJob: (env: Environment) => boolean;
  readonly findJob?: (env: Environment) => ForgeLocation["job"];
  readonly findHome: (env: Environment) => string | undefined;
  /** From the address of its API. */
  readonly clientUrl?: (url: string) => string;
  /** Whether a token is as good for the next run. */
  readonly isTokenLasting: (token: string, run: { readonly isJob: boolean }) => boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface WorkflowTemplate {
  readonly path: string;
  readonly actionPattern: RegExp;
  readonly actionMissing: string;
  readonly secretLines: readonly string[];
  readonly textOf: (options: { readonly action: string; readonly timeoutMinutes: number }) => string;
}
