import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A Gitea that the tests run on, and how it is made of its published module. */
export interface GiteaBuild {
  readonly version: string;
  /** Go's own checksum of the module's files: what is built is what was read when this line was written. */
  readonly sum: string;
  readonly tags: readonly string[];
  /** Entries per page at most, as the operator of a server sets them; 50 is what it comes with. */
  readonly pageSizeMax: number;
  /** Modules under an older name of theirs, with Go's checksums: not every proxy has the one that Gitea asks for. */
  readonly renamed: readonly RenamedModule[];
  /** Files that are not built: importers from other forges, for which proxies lack modules and we have no use. */
  readonly left: readonly string[];
}

export interface RenamedModule {
  readonly module: string;
  readonly version: string;
  readonly olderName: string;
  readonly sum: string;
  readonly goModSum: string;
}

/** The ends of the range that is supported; capabilities change in between (resolve in 1.26, replies in 1.27). */
export const giteaBuilds: readonly GiteaBuild[] = [
  {
    version: "1.25.5",
    sum: "h1:OfdT1TrOmAA+AVeY8S9CVU1jJfXIk8teXfiBgDeHEUI=",
    tags: ["sqlite", "sqlite_unlock_notify"],
    pageSizeMax: 50,
    renamed: [],
    left: [],
  },
  {
    version: "1.27.3",
    sum: "h1:SRnjvw24ASELKCqyYvAWIlzwOqyFMgfD+UkqQ9SE5eU=",
    // Its default is an SQLite in Go, which takes longer to build and longer for each statement.
    tags: ["sqlite_mattn", "sqlite_unlock_notify"],
    pageSizeMax: 10,
    renamed: [
      {
        module: "gitea.dev/actions-proto-go",
        version: "v0.6.0",
        olderName: "code.gitea.io/actions-proto-go",
        sum: "h1:JnNrve3wRTADHB0tuJf2rK0qW0GqG9NJZKTfU5aSiBQ=",
        goModSum: "h1:p4RX+D9oqiEEzzkPMXscw2CmaGuYFPWFc6xIOmDNDqs=",
      },
    ],
    left: ["services/migrations/gitea_downloader.go", "services/migrations/gitlab.go"],
  },
];

/** The name of the vitest project that runs on this version. */
export function giteaProject(version: string): string {
  return `gitea-${version}`;
}

/** Set to 1, all of the suite runs on all versions. */
export const wholeSuiteVariable = "DROVER_GITEA_WHOLE";

/** How somebody who lacks them gets them. */
export const giteaCommand = "npm run test:gitea";

/** A server that was built on this machine. */
export interface GiteaInstall {
  readonly version: string;
  readonly pageSizeMax: number;
  readonly program: string;
  /** Where its templates, translations and pictures are. */
  readonly assets: string;
}

/** In the cache of the user, so that every checkout finds it. */
export function giteaFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"];
  const root = cache === undefined || cache === "" ? join(homedir(), ".cache") : cache;
  return join(root, "drover", "gitea");
}

export function giteaInstall({ version, pageSizeMax }: GiteaBuild): GiteaInstall {
  const folder = join(giteaFolder(), version);
  return { version, pageSizeMax, program: join(folder, "gitea"), assets: folder };
}

export function findGitea(build: GiteaBuild): GiteaInstall | undefined {
  const install = giteaInstall(build);
  return existsSync(install.program) ? install : undefined;
}
