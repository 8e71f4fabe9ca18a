import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian and Ubuntu keep the servers that they install, one folder for each major version; not on the PATH. */
const debianFolder = "/usr/lib/postgresql";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The server of this machine: what is on the PATH, else the newest of Debian's. */
export function findPostgresBinaries(): PostgresBinaries | undefined {
  return foldersToSearch()
    .map((folder) => ({ initdb: join(folder, "initdb"), postgres: join(folder, "postgres") }))
    .find(({ initdb, postgres }) => isExecutable(initdb) && isExecutable(postgres));
}

function foldersToSearch(): readonly string[] {
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...path, ...debianVersions().map((version) => join(debianFolder, String(version), "bin"))];
}

function debianVersions(): readonly number[] {
  try {
    return readdirSync(debianFolder)
      .map(Number)
      .filter((version) => Number.isInteger(version))
      .sort((left, right) => right - left);
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
