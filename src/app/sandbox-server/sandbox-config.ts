import type { SandboxServer } from "#app/sandbox-server/sandbox-server.ts";

export const sandboxVariables = { token: "DROVER_SANDBOX_TOKEN", secret: "DROVER_WEBHOOK_SECRET" } as const;

/** JSON is YAML, so nothing needs other quotes. */
export function sandboxConfig({ url, sandbox, repositories }: Pick<SandboxServer, "url" | "sandbox" | "repositories">) {
  const names = repositories.map(({ name }) => JSON.stringify(name)).join(", ");
  return `forges:
  - name: sandbox
    kind: sandbox
    url: ${JSON.stringify(url)}
    manner: ${sandbox.manner}
    token: { env: ${sandboxVariables.token} }
    webhookSecrets: [{ env: ${sandboxVariables.secret} }]
    repositories: [${names}]
`;
}
