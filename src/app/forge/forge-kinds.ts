import type { ForgeDescriptor } from "#forges/forge-descriptor.ts";

/** A new forge is a folder of src/forges and a line here. Lazy: the command line wants only the names. */
export const forgeLoaders = {
  github: async () => (await import("#forges/github/github-descriptor.ts")).githubDescriptor,
  gitea: async () => (await import("#forges/gitea/gitea-descriptor.ts")).giteaDescriptor,
  sandbox: async () => (await import("#forges/sandbox/sandbox-descriptor.ts")).sandboxDescriptor,
} satisfies Record<string, () => Promise<ForgeDescriptor>>;

export const forgeKinds: readonly string[] = Object.keys(forgeLoaders);

export const defaultForgeKind: keyof typeof forgeLoaders = "github";
