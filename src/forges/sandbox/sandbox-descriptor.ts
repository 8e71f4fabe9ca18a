import { z } from "zod";
import { commonForgeKeys, repositoryName, serverAddress } from "#config/forge-config.ts";
import { SecretSource } from "#config/secret-source.ts";
import { secondMs } from "#core/model/instant.ts";
import { revealCredentials } from "#forges/forge-credentials.ts";
import type { ForgeDescriptor } from "#forges/forge-descriptor.ts";
import { createRemoteSandbox } from "#forges/sandbox/remote/remote-sandbox.ts";
import { defaultDurations } from "#ports/dependencies.ts";

/** For tests of failures: the sandbox shows every write at once, so a test need not wait. */
const SandboxSpans = z.strictObject({
  leaseMs: z.number().int().min(secondMs).optional(),
  marginMs: z.number().int().min(0).optional(),
  settleMs: z.number().int().min(0).optional(),
  retryMs: z.number().int().min(1).optional(),
  writeGapMs: z.number().int().min(0).optional(),
});

const SandboxConfig = z.strictObject({
  kind: z.literal("sandbox"),
  ...commonForgeKeys,
  url: serverAddress,
  token: SecretSource,
  repositories: z.array(repositoryName),
  manner: z.enum(["github", "gitea"]).default("github"),
  spans: SandboxSpans.default(() => ({})),
});
type SandboxConfig = z.infer<typeof SandboxConfig>;

export const sandboxDescriptor: ForgeDescriptor<SandboxConfig> = {
  config: SandboxConfig,
  settingsOf: ({ url, token, spans }) => ({
    url,
    key: { kind: "token", token },
    writeGapMs: spans.writeGapMs,
    durations: {
      ...defaultDurations,
      leaseMs: spans.leaseMs ?? defaultDurations.leaseMs,
      marginMs: spans.marginMs ?? defaultDurations.marginMs,
      settleMs: spans.settleMs ?? defaultDurations.settleMs,
      retryMs: spans.retryMs ?? defaultDurations.retryMs,
    },
  }),
  openUnmasked: ({ key, ...options }) => createRemoteSandbox({ ...options, token: revealCredentials(key) }),
  gitProtocols: ["file"],
  codeOwnersFolders: [],
  pullPage: (url, { repository, number }) => `${url.replace(/\/+$/, "")}/${repository.name}/pulls/${number}`,
  run: {
    tokenVariables: ["DROVER_SANDBOX_TOKEN"],
    exampleUrl: "http://127.0.0.1:4171",
    urlMeaning: "where the sandbox is served",
    writeGapMs: 0,
    isJob: () => false,
    findHome: () => undefined,
    isTokenLasting: () => true,
  },
};
