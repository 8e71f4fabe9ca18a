import type { MemoryFolder, MemoryNode } from "#testing/memory-git/memory-folder.ts";
import { createMemoryGit } from "#testing/memory-git/memory-git.ts";
import { createMemoryHub, type MemoryHub } from "#testing/memory-git/memory-hub.ts";
import { at, author, type Planted, type RemoteHand, type World } from "./world.ts";

export async function memoryWorld(): Promise<World> {
  const hub = createMemoryHub();
  const git = createMemoryGit(hub);
  let count = 0;
  return {
    git,
    createRemote: async () => {
      count += 1;
      return memoryRemote(hub, `/memory/remotes/${count}.git`);
    },
    mirroredRef: (key, ref) => git.mirroredRef(key, ref),
    folders: {
      plant: (folder, path, what) => plant(git.findFolder(folder), path, what),
      remove: (folder, path) => git.findFolder(folder)?.remove(path),
      read: (folder, path) => git.findFolder(folder)?.read(path),
    },
    close: () => undefined,
  };
}

function memoryRemote(hub: MemoryHub, url: string): RemoteHand {
  hub.createRemote(url);
  return {
    remote: { url, credential: null },
    commit: async ({ parents = [], changes = {}, minute = 0, message = "change" }) =>
      hub.commit({ parents, changes, message, identity: author, at: at(minute) }),
    setRef: async (ref, to) => hub.setRef({ url, ref, to }),
    refOf: async (ref) => hub.refsOf(url)?.get(ref) ?? null,
    closeDoors: () => hub.setGuard(url, () => false),
  };
}

function plant(folder: MemoryFolder | undefined, path: string | Uint8Array, what: Planted): void {
  const node = nodeOf(what);
  if (folder === undefined) throw new Error("there is no such folder");
  if (typeof path === "string") folder.write(path, node);
  else folder.nodes.set(Buffer.from(path).toString("latin1"), node);
}

function nodeOf(what: Planted): MemoryNode {
  if (typeof what === "string") return nodeOf({ kind: "file", content: what });
  switch (what.kind) {
    case "file":
      return {
        kind: "file",
        content: Buffer.from(what.content),
        isExecutable: what.isExecutable ?? false,
        linkCount: 1,
      };
    case "link":
      return { kind: "link", target: Buffer.from(what.target) };
    case "pipe":
      return { kind: "special" };
    case "hard_link":
      return { kind: "file", content: Buffer.from("secret\n"), isExecutable: false, linkCount: 2 };
    default:
      return { kind: "folder" };
  }
}
