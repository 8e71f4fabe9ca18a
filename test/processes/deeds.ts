import type { SandboxServer } from "#app/sandbox-server/sandbox-server.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import type { Chance } from "./chance.ts";

/** People at work on a forge, while others die. */
export interface Deeds {
  readonly pulls: readonly PullRef[];
  /** Somebody does something: opens a pull, pushes to one, gives a command. */
  next(): Promise<void>;
}

export interface DeedsOptions {
  readonly server: Pick<SandboxServer, "sandbox" | "people" | "repositories">;
  readonly chance: Chance;
  /** After that many, people go on with those that there are. */
  readonly pullsMax: number;
}

export function createDeeds({ server, chance, pullsMax }: DeedsOptions): Deeds {
  const { sandbox, people, repositories } = server;
  const ada = sandbox.as(people.ada);
  const pulls: { readonly ref: PullRef; readonly branch: string }[] = [];
  let count = 0;

  async function open(repository: RepositoryRef): Promise<void> {
    const branch = `change-${count}`;
    await ada.push({ repository, branch, changes: someChange(), message: `Change ${count}` });
    const ref = await ada.openPull({ repository, branch, base: "main", title: `Change ${count}`, body: "Please." });
    pulls.push({ ref, branch });
  }

  function someChange(): Record<string, string> {
    return { [`src/change-${count}.ts`]: chance.pick(contents).replaceAll("NUMBER", String(count)) };
  }

  return {
    get pulls() {
      return pulls.map(({ ref }) => ref);
    },
    next: async () => {
      count += 1;
      const [first, ...others] = pulls;
      if (first === undefined || (pulls.length < pullsMax && chance.below(2) === 0)) {
        const [repository, ...rest] = repositories;
        if (repository === undefined) throw new Error("there is no repository");
        await open(chance.pick([repository, ...rest]));
        return;
      }
      const { ref, branch } = chance.pick([first, ...others]);
      if (chance.below(4) === 0) await sandbox.as(people.rita).comment(ref, "@drover status");
      else await ada.push({ repository: ref.repository, branch, changes: someChange(), message: `Change ${count}` });
    },
  };
}

/** With and without something that the rules object to. */
const contents = [
  "export const change = NUMBER;\n",
  "export function change(): number {\n  debugger;\n  return NUMBER;\n}\n",
] as const;
