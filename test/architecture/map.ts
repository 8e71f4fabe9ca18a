/** The map of src: what each folder may import. A folder may always import itself; nothing else is allowed by default. */
export interface Layer {
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Modules of Node, without the prefix; `fs` stands for `fs/promises` as well. */
  readonly node: readonly string[];
}

const APP_FOLDERS = [
  "core",
  "ports",
  "observe",
  "act",
  "jobs",
  "reconcile",
  "forges",
  "reviewers",
  "models",
  "sessions",
  "git",
  "database",
  "store",
  "queues",
  "config",
  "server",
  "api",
  "package.json",
];

/**
 * Folders that are not there yet stay on the map. A package enters a layer together with the code that needs it.
 * `#package.json` is the manifest itself, from which Drover knows its version.
 */
export const LAYERS: ReadonlyMap<string, Layer> = new Map<string, Layer>([
  ["core", { folders: [], packages: ["zod", "@noble/hashes"], node: [] }],
  ["ports", { folders: ["core"], packages: [], node: [] }],
  ["observe", { folders: ["core", "ports"], packages: [], node: [] }],
  ["act", { folders: ["core", "ports", "observe"], packages: [], node: [] }],
  ["jobs", { folders: ["core", "ports", "observe", "act"], packages: ["zod"], node: [] }],
  ["reconcile", { folders: ["core", "ports", "observe", "act", "jobs"], packages: ["zod"], node: [] }],
  [
    "forges",
    {
      folders: ["core", "ports", "config"],
      packages: ["zod", "@octokit/auth-app", "@octokit/request", "undici"],
      node: ["crypto", "http", "process"],
    },
  ],
  ["reviewers", { folders: ["core", "ports"], packages: ["zod"], node: [] }],
  [
    "models",
    {
      folders: ["core", "ports"],
      packages: [
        "zod",
        "@ai-sdk/anthropic",
        "@ai-sdk/google",
        "@ai-sdk/openai",
        "@ai-sdk/openai-compatible",
        "@ai-sdk/provider",
      ],
      node: ["crypto"],
    },
  ],
  ["sessions", { folders: ["core", "ports"], packages: ["zod"], node: ["child_process", "fs", "os", "path"] }],
  [
    "git",
    {
      folders: ["core", "ports"],
      packages: [],
      node: ["buffer", "child_process", "crypto", "fs", "os", "path", "tls", "url"],
    },
  ],
  [
    "database",
    {
      folders: ["core", "ports"],
      packages: ["kysely", "pg", "@electric-sql/pglite", "zod"],
      node: ["fs", "net", "os", "path"],
    },
  ],
  ["store", { folders: ["core", "ports", "database"], packages: ["zod", "kysely"], node: [] }],
  ["queues", { folders: ["core", "ports", "database"], packages: ["kysely"], node: [] }],
  ["config", { folders: ["core"], packages: ["zod", "yaml"], node: [] }],
  ["api", { folders: [], packages: ["zod"], node: [] }],
  ["server", { folders: ["core", "ports", "api"], packages: ["zod"], node: ["crypto", "http", "net"] }],
  ["web", { folders: ["api"], packages: ["react", "react-dom"], node: [] }],
  [
    "app",
    {
      folders: APP_FOLDERS,
      packages: ["zod"],
      node: ["crypto", "events", "fs", "os", "path", "process", "readline", "stream", "timers", "url"],
    },
  ],
  [
    "cli",
    {
      folders: ["app", "config", "core"],
      packages: ["zod", "@commander-js/extra-typings"],
      node: ["fs", "path", "process", "timers", "url"],
    },
  ],
  ["action", { folders: ["app", "config", "core"], packages: [], node: ["fs", "process"] }],
]);

/** Packages that one folder within a layer may import, and the rest of the layer may not. */
export const INNER_PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([["core/markdown", ["markdown-it"]]]);

/** What the tests beside the files may import on top of their layer. Any module of Node is free to them. */
export const FOR_TESTS: Omit<Layer, "node"> = { folders: ["testing"], packages: ["vitest", "fast-check"] };

/** Layers that decide from facts alone. */
export const PURE_LAYERS: ReadonlySet<string> = new Set(["core"]);

/**
 * Folders whose own folders are alternatives: GitHub knows nothing of Gitea, and only src/app names both. Files that
 * lie directly in the family are common ground.
 */
export const FAMILIES: readonly string[] = ["forges", "reviewers", "models", "sessions/agents"];

/**
 * The folders of core, from bottom to top. A folder imports itself and the folders of lower rows. Files that lie directly
 * in core are below all of them. The tests beside the files may import any folder of core.
 */
export const CORE_ROWS: readonly (readonly string[])[] = [
  ["fairness", "files", "markdown", "secrets", "terminal"],
  ["model"],
  ["approval", "budget", "commands", "diff"],
  ["prompt", "review"],
  ["blocks", "decision"],
  ["effects"],
  ["derive", "words"],
  ["eval", "plan", "report"],
];

export interface OptionalFeature {
  readonly folders: readonly string[];
  /** The only files outside of these folders that may import from them; an entry that ends in `/` is a folder. */
  readonly importers: readonly string[];
}

/** What Drover works without: the rest of src does not import it. */
export const OPTIONAL_FEATURES: readonly OptionalFeature[] = [
  { folders: ["core/eval", "app/eval"], importers: ["cli/eval.ts"] },
  { folders: ["app/demo"], importers: ["cli/demo.ts", "cli/demo-lines.ts"] },
  {
    folders: ["forges/sandbox", "app/sandbox-stack", "app/sandbox-server"],
    importers: ["app/forge/forge-kinds.ts", "app/demo/", "cli/demo.ts", "cli/sandbox.ts"],
  },
];
