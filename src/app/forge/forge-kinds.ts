import type { ForgeDescriptor } from "#forges/forge-descriptor.ts";

/**
 * All kinds of forges. A further kind is a folder of src/forges and a line
 * here. They are loaded when they are needed: the command line only wants their names.
 */
export const forgeLoaders = {
  github: async () => (await import("#forges/github/github-descriptor.ts")).githubDescriptor,
  gitea: async () => (await import("#forges/gitea/gitea-descriptor.ts")).giteaDescriptor,
  sandbox: async () => (await import("#forges/sandbox/sandbox-descriptor.ts")).sandboxDescriptor,
} satisfies Record<string, () => Promise<ForgeDescriptor>>;

export const forgeKinds: readonly string[] = Object.keys(forgeLoaders);

/** What is meant if nothing says another one. */
export const defaultForgeKind: keyof typeof forgeLoaders = "github";
