import type { Account } from "#core/model/account.ts";
import { createSandbox, type SandboxOptions } from "#forges/sandbox/create-sandbox.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import { createRealHost } from "#git/real-host.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { createMemoryHost } from "#testing/memory-git/memory-host.ts";
import { createMemoryHub, type MemoryHub } from "#testing/memory-git/memory-hub.ts";

/** A sandbox forge with people on it and one repository of theirs: all builders of worlds begin with it. */
export interface TestForge<Login extends string> {
  readonly sandbox: Sandbox;
  readonly accounts: Readonly<Record<Login, Account>>;
  readonly people: Readonly<Record<Login, SandboxPerson>>;
  readonly repository: RepositoryRef;
  /** Pushes the files to a branch and opens a pull from it to `main`. */
  readonly openPull: (opening?: PullOpening) => Promise<PullRef>;
}

export interface PullOpening {
  /** By default ada; the owner, if there is no ada. */
  readonly by?: Account;
  readonly branch?: string;
  readonly files?: HostChanges;
  readonly title?: string;
  readonly body?: string;
  readonly isDraft?: boolean;
}

/** What somebody may do in the repository: exactly one person owns it, and a stranger was granted nothing. */
type Standing = "owner" | "stranger" | Parameters<Sandbox["setPermission"]>[0]["permission"];

interface NamedStanding {
  readonly kind: Account["kind"];
  /** Absent: the name by which the test knows it. */
  readonly login?: string;
  readonly may: Standing;
}

export interface TestForgeOptions<Login extends string> extends Partial<Omit<SandboxOptions, "clock">> {
  /** Of the forge. */
  readonly clock: SandboxOptions["clock"];
  readonly people: Readonly<Record<Login, Standing | NamedStanding>>;
  /** Git is in memory unless a test names a folder for real repositories. */
  readonly gitFolder?: string;
  /** Git in memory, where something else reads it too. */
  readonly hub?: MemoryHub;
  /** A sandbox that is there already, instead of a new one. */
  readonly sandbox?: Sandbox;
  readonly name?: string;
  /** The repository begins with these. */
  readonly files?: HostChanges;
}

export async function openTestForge<const Login extends string>(
  options: TestForgeOptions<Login>,
): Promise<TestForge<Login>> {
  const {
    people: standings,
    hub = createMemoryHub(),
    name = "mia/tools",
    files = { "README.md": "# Tools\n" },
  } = options;
  const {
    host = await hostIn(options.gitFolder, hub),
    manner = "github",
    clock,
    quirks = {},
    faults = () => null,
  } = options;
  const sandbox = options.sandbox ?? createSandbox({ host, manner, clock, quirks, faults });
  const settled = Object.entries<Standing | NamedStanding>(standings).map(([key, standing]) => {
    const {
      kind,
      may,
      login = key,
    } = typeof standing === "string" ? { kind: "person" as const, may: standing } : standing;
    return { key, may, account: sandbox.addAccount({ login, kind }) };
  });
  const owner = settled.find(({ may }) => may === "owner");
  if (owner === undefined) throw new Error("nobody owns the repository");
  const repository = await sandbox.createRepository({ name, by: owner.account, files });
  for (const { account, may } of settled) {
    if (may !== "owner" && may !== "stranger") sandbox.setPermission({ repository, account, permission: may });
  }
  const byKey = <Value>(of: (account: Account) => Value): Readonly<Record<Login, Value>> =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `settled` has an entry for each login.
    Object.fromEntries(settled.map(({ key, account }) => [key, of(account)])) as Record<Login, Value>;
  const { account: author } = settled.find(({ key }) => key === "ada") ?? owner;
  return {
    sandbox,
    accounts: byKey((account) => account),
    people: byKey((account) => sandbox.as(account)),
    repository,
    openPull: async ({ by = author, branch = "work", files: changes = newFile, title = "A change", ...over } = {}) => {
      const person = sandbox.as(by);
      await person.push({ repository, branch, changes, message: title });
      return await person.openPull({ repository, branch, base: "main", title, body: "", ...over });
    },
  };
}

async function hostIn(folder: string | undefined, hub: MemoryHub): Promise<SandboxOptions["host"]> {
  if (folder === undefined) return createMemoryHost(hub);
  return await createRealHost({ folder, searchPath: process.env["PATH"] ?? "" });
}

const newFile = { "src/lexer.ts": "export const words = (text: string) => text.split(' ');\n" };
