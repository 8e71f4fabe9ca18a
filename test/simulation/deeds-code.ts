import type { Account } from "#core/model/account.ts";
import { codePath, defectsAt, linesAt, readDefect } from "./content.ts";
import { type Deed, openPull, tryTo } from "./deed.ts";
import type { Marker } from "./truth.ts";
import { addFact, isWriter, note, type World } from "./world.ts";

/** What the author does with the branch, and others with the base. */

/** New lines, some of them with a defect that a reviewer who reads them will find. */
export const pushCommit: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { ref, seen } = found;
  const lines = [...linesAt(world.hub, seen.pull.head.sha), ...drawLines(world)];
  await push(world, ref.repository, seen.pull.head.branch, lines, "pushes a commit");
};

export const fixDefects: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { ref, seen } = found;
  if (defectsAt(world.hub, seen.pull.head.sha).length === 0) return;
  const isWhole = world.chance.isTrue(0.7);
  const kept = linesAt(world.hub, seen.pull.head.sha).filter(
    (line) => readDefect(line) === undefined || (!isWhole && world.chance.isTrue(0.5)),
  );
  await push(world, ref.repository, seen.pull.head.branch, [...kept, drawLine(world, null)], "fixes defects");
};

async function push(
  world: World,
  repository: World["repository"],
  branch: string,
  lines: readonly string[],
  what: string,
): Promise<void> {
  await tryTo(world, `ada ${what}`, async () => {
    const changes = { [codePath]: `${lines.join("\n")}\n` };
    const head = await world.sandbox.as(world.cast.ada).push({ repository, branch, changes, message: what });
    const defects = defectsAt(world.hub, head).map(({ name }) => name);
    note(world, `  ${head.slice(0, 7)} holds ${defects.length === 0 ? "no defects" : defects.join(", ")}`);
  });
}

export function drawLines(world: World): readonly string[] {
  const { chance } = world;
  const count = 1 + chance.below(3);
  return Array.from({ length: count }, () => drawLine(world, chance.isTrue(0.35) ? 4 + chance.below(7) : null));
}

function drawLine(world: World, score: number | null): string {
  const name = `k${world.minds.nextName++}`;
  return score === null ? `export const ${name} = 1;` : `export const ${name} = "defect-${score}-${name}";`;
}

/** By force to a commit that was the head before. */
export const pushOldHead: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { ref, seen } = found;
  const heads = world.facts.flatMap((fact) => (fact.kind === "head" && fact.pull === ref.number ? [fact.head] : []));
  const to = world.chance.pick(heads);
  if (to === seen.pull.head.sha) return;
  await tryTo(world, `ada force-pushes back to ${to.slice(0, 7)}`, async () => {
    await world.sandbox.as(world.cast.ada).forcePush({ repository: ref.repository, branch: seen.pull.head.branch, to });
    world.figures.sight("force-pushed back");
  });
};

/** The base moves on, and the branch with it: another head with the same patch. */
export const rebase: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  await moveBase(world);
  await tryTo(world, "ada rebases", async () => {
    await world.sandbox.as(world.cast.ada).rebase(found.ref);
  });
};

export const moveBase: Deed = async (world) => {
  const { repository, sandbox, cast, minds } = world;
  await tryTo(world, "mia pushes to main", async () => {
    const changes = { "base.txt": `${minds.nextName++}\n` };
    await sandbox.as(cast.mia).push({ repository, branch: "main", changes, message: "the base moves on" });
  });
};

export const retarget: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const base = found.seen.pull.base.branch === "main" ? "next" : "main";
  await tryTo(world, `ada points the pull at ${base}`, async () => {
    await world.sandbox.as(world.cast.ada).editPull(found.ref, { base });
    world.figures.sight("retargeted");
  });
};

export const toggleDraft: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const isDraft = !found.seen.pull.isDraft;
  await tryTo(world, isDraft ? "ada makes it a draft" : "ada says that it is ready", async () => {
    await world.sandbox.as(world.cast.ada).editPull(found.ref, { isDraft });
  });
};

export const closeOrReopen: Deed = async (world) => {
  const { chance, sandbox, cast } = world;
  const ref = chance.pick(world.pulls);
  const { pull } = sandbox.look(ref);
  if (pull.state === "merged") return;
  const state = pull.state === "open" ? "closed" : "open";
  if (state === "closed" && chance.isTrue(0.5)) return;
  await tryTo(world, state === "open" ? "ada reopens the pull" : "ada closes the pull", async () => {
    await sandbox.as(cast.ada).editPull(ref, { state });
    if (state === "open") world.figures.sight("reopened");
  });
};

export const changeLabels: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  await tryTo(world, "rita changes labels", async () => {
    await world.sandbox.as(world.cast.rita).editPull(found.ref, { labels: [world.chance.pick(["bug", "feature"])] });
  });
};

/** `disable-reviews` in the description, brought in or taken out. */
export const editDescription: Deed = async (world) => {
  const found = openPull(world);
  if (found === undefined) return;
  const { chance, cast, installations } = world;
  const by = chance.pick([cast.ada, cast.mia]);
  const installation = chance.pick(installations);
  const marked = `${installation.handle} disable-reviews`;
  const isThere = found.seen.pull.body.includes(marked);
  const body = isThere ? "Adds some code." : `Adds some code. ${marked}, please.`;
  await tryTo(
    world,
    `${by.login} ${isThere ? "takes the marker out of" : "puts the marker into"} the description`,
    async () => {
      await world.sandbox.as(by).editPull(found.ref, { body });
      const marker = isThere ? null : markerBy(world, by);
      // The other handle's marker goes with the old text.
      for (const other of installations) {
        const now = other === installation ? marker : null;
        addFact(world, { kind: "marked", pull: found.ref.number, installation: other.name, marker: now });
      }
      world.figures.sight("the description was edited");
    },
  );
};

/** Gitea tells neither who brought it in nor when: then it is the author's, from when Drover saw it. */
export function markerBy(world: World, by: Account): Marker {
  const isDated = world.sandbox.manner === "github";
  return { isDated, isWriter: isWriter(world, isDated ? by.id : world.cast.ada.id) };
}
