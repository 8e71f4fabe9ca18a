import type { Account, Permission } from "#core/model/account.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import type { Chance } from "./chance.ts";

/** Who is there. */
export interface Cast {
  /** Opens the pulls. */
  readonly ada: Account;
  /** May write. */
  readonly rita: Account;
  /** Is an admin. */
  readonly mia: Account;
  /** Nobody in particular. */
  readonly otto: Account;
  /** Answers to everything. */
  readonly echo: Account;
  readonly ci: Account;
  readonly drover: Account;
  /** Another installation of Drover, with another account. */
  readonly shepherd: Account;
}

export function createCast(sandbox: Sandbox): Cast {
  const person = (login: string): Account => sandbox.addAccount({ login, kind: "person" });
  const bot = (login: string): Account => sandbox.addAccount({ login, kind: "bot" });
  return {
    mia: person("mia"),
    ada: person("ada"),
    rita: person("rita"),
    otto: person("otto"),
    echo: bot("echo"),
    ci: bot("ci"),
    drover: bot("drover"),
    shepherd: bot("shepherd"),
  };
}

/** What everybody may do on the repository; mia makes it. */
export function drawPermissions(
  cast: Cast,
  chance: Chance,
): readonly (readonly [Account, Exclude<Permission, "undetermined">])[] {
  return [
    [cast.ada, chance.isTrue(0.45) ? "write" : "read"],
    [cast.rita, "write"],
    [cast.otto, chance.isTrue(0.5) ? "read" : "none"],
    [cast.echo, "read"],
    [cast.ci, "write"],
    [cast.drover, "admin"],
    [cast.shepherd, "admin"],
  ];
}
