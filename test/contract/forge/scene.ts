import type { Account } from "#core/model/account.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { Forge, ReviewRemark } from "#ports/forge.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";
import { fetchSeen, type Seen } from "./seen.ts";
import type { ForgePerson, ForgeWorld, WorldEntry } from "./world.ts";

/** One open pull, and the cast: ada wrote it, rita may write, mia owns the repository, otto may read, drover is judged. */
export interface Scene {
  readonly world: ForgeWorld;
  readonly repository: RepositoryRef;
  readonly pull: PullRef;
  readonly head: HeadSha;
  readonly people: Readonly<Record<"ada" | "rita" | "mia" | "otto" | "drover", Account>>;
  readonly ada: ForgePerson;
  readonly rita: ForgePerson;
  readonly mia: ForgePerson;
  readonly otto: ForgePerson;
  readonly drover: Forge;
  /** The pull as drover sees it: checked against the model, with each element once. */
  seen(): Promise<Seen>;
}

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

const baseFiles = { "src/app.txt": fileOf(lines), "README.md": "A tool.\n" };

/** Two hunks in one file (old 7-13 and 27-33, new 7-14 and 28-33), and a new file of five lines. */
const pullFiles = {
  "src/app.txt": fileOf(lines.flatMap((line) => changedLines(line))),
  "src/new.txt": "one\ntwo\nthree\nfour\nfive\n",
};

function changedLines(line: string): readonly string[] {
  if (line === "line 10") return ["ten a", "ten b"];
  return line === "line 30" ? [] : [line];
}

function fileOf(content: readonly string[]): string {
  return `${content.join("\n")}\n`;
}

/** Remarks that all lie in the diff of the pull. */
export const remarks = {
  added: { path: "src/app.txt", side: "new", lines: { first: 10, last: 10 }, body: "On an added line." },
  removed: { path: "src/app.txt", side: "old", lines: { first: 30, last: 30 }, body: "On a removed line." },
  context: { path: "src/app.txt", side: "new", lines: { first: 8, last: 8 }, body: "On a line beside the change." },
  range: { path: "src/new.txt", side: "new", lines: { first: 2, last: 4 }, body: "On a range." },
} as const satisfies Record<string, ReviewRemark>;

/** In the file, far from every change. */
export const foreignRemark: ReviewRemark = {
  path: "src/app.txt",
  side: "new",
  lines: { first: 20, last: 20 },
  body: "On a line that nobody changed.",
};

export async function openScene(entry: WorldEntry): Promise<Scene> {
  const world = await entry.open();
  const people = {
    ada: await world.addAccount({ login: "ada", kind: "person" }),
    rita: await world.addAccount({ login: "rita", kind: "person" }),
    mia: await world.addAccount({ login: "mia", kind: "person" }),
    otto: await world.addAccount({ login: "otto", kind: "person" }),
    drover: await world.addAccount({ login: "drover", kind: "bot" }),
  };
  const repository = await world.createRepository({ name: "mia/tools", by: people.mia, files: baseFiles });
  for (const account of [people.ada, people.rita, people.drover]) {
    await world.setPermission({ repository, account, permission: "write" });
  }
  await world.setPermission({ repository, account: people.otto, permission: "read" });
  const ada = world.as(people.ada);
  const head = await ada.push({ repository, branch: "parser", changes: pullFiles, message: "Add a parser" });
  const pull = await ada.openPull({
    repository,
    branch: "parser",
    base: "main",
    title: "Add a parser",
    body: "It reads.",
  });
  await world.settle(pull);
  const drover = world.clientOf(people.drover);
  return {
    world,
    repository,
    pull,
    head,
    people,
    ada,
    rita: world.as(people.rita),
    mia: world.as(people.mia),
    otto: world.as(people.otto),
    drover,
    seen: () => fetchSeen(drover, pull),
  };
}

/** Another commit on the branch of the pull. */
export function pushMore({ ada, repository }: Scene, path = "src/more.txt", content = "more\n"): Promise<HeadSha> {
  return ada.push({ repository, branch: "parser", changes: { [path]: content }, message: `Change ${path}` });
}

/** Where the branches of the remote are, as git tells it and not the forge. */
export async function findBranch(scene: Scene, branch: string): Promise<HeadSha | undefined> {
  const remote = await scene.drover.fetchRemote(scene.repository, "read");
  const mirror = await scene.world.git.ensureMirror({ key: "tools", remote });
  const [fetched] = await mirror.fetchRefs({ remote, refs: [`refs/heads/${branch}`] });
  return fetched?.commit ?? undefined;
}
