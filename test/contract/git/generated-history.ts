import type { HeadSha } from "#core/model/ids.ts";
import type { Mirror } from "#ports/git.ts";
import type { MemoryChanges, MemoryFile } from "#testing/memory-git/memory-hub.ts";
import type { RemoteHand, World } from "./world.ts";

const twenty = `${Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n")}\n`;

/** One of each kind of change, and how it is shown. */
export const everyChange: {
  readonly before: MemoryChanges;
  readonly changes: MemoryChanges;
  readonly shown: readonly string[];
} = {
  before: {
    "blob.bin": { mode: "100644", content: new Uint8Array([0, 1, 2]) },
    "empty-gone": "",
    gone: "gone\n",
    link: { mode: "120000", content: "one" },
    mode: "mode\n",
    "moved here/it": twenty,
    "no newline": "x\ny",
    sub: { mode: "160000", content: "1".repeat(40) },
    text: twenty,
    type: "was a file\n",
  },
  changes: {
    "blob.bin": { mode: "100644", content: new Uint8Array([0, 1, 3]) },
    "empty-gone": null,
    'fresh "quoted" ü\n': "fresh\n",
    gone: null,
    link: { mode: "120000", content: "two" },
    mode: { mode: "100755", content: "mode\n" },
    "moved here/it": null,
    "moved there/it": twenty,
    "no newline": "x\ny\n",
    sub: { mode: "160000", content: "2".repeat(40) },
    text: twenty.replace("line 3\n", "").replace("line 15", "other"),
    type: { mode: "120000", content: "now a link" },
  },
  shown: [
    "modified blob.bin binary",
    "deleted empty-gone none",
    'added fresh "quoted" ü\n text',
    "deleted gone text",
    "modified link text",
    "mode_changed mode none",
    "renamed moved there/it none",
    "modified no newline text",
    "modified sub text",
    "modified text text",
    "deleted type text",
    "added type text",
  ],
};

/** Chance that is the same for the same seed. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A history with branches and merges, made from a seed, every commit of it on a branch and fetched. */
export async function generatedHistory(
  world: World,
  seed: number,
): Promise<{ readonly hand: RemoteHand; readonly mirror: Mirror; readonly commits: readonly HeadSha[] }> {
  const chance = chanceFrom(seed);
  const hand = await world.createRemote();
  const commits: HeadSha[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    const recent = commits.slice(-4);
    const isMerge = recent.length > 2 && chance(3) === 0;
    const parents = [recent[chance(recent.length)], isMerge ? recent[chance(recent.length)] : undefined];
    const unique = [...new Set(parents.filter((parent) => parent !== undefined))];
    const made = await hand.commit({ parents: unique, changes: randomChanges(chance), minute, message: `m${minute}` });
    commits.push(made);
    await hand.setRef(`refs/heads/c${minute}`, made);
  }
  return { hand, mirror: await world.git.ensureMirror({ key: `seed ${seed}`, remote: hand.remote }), commits };
}

function randomChanges(chance: (below: number) => number): MemoryChanges {
  const changes: Record<string, MemoryFile | string | null> = {};
  for (let count = 1 + chance(4); count > 0; count -= 1) {
    const path = `${chance(2) === 0 ? "" : "deep/er "}f${chance(5)}`;
    changes[path] = chance(5) === 0 ? null : randomFile(chance);
  }
  return changes;
}

function randomFile(chance: (below: number) => number): MemoryFile {
  const text = Array.from({ length: chance(30) }, () => `line ${chance(8)}\n`).join("");
  switch (chance(8)) {
    case 0:
      return { mode: "100755", content: text };
    case 1:
      return { mode: "120000", content: `t${chance(3)}` };
    case 2:
      return { mode: "100644", content: new Uint8Array([0, chance(9)]) };
    default:
      return { mode: "100644", content: text };
  }
}
