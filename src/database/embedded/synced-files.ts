import { closeSync, fdatasyncSync, fsyncSync } from "node:fs";
import { dirname } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { codeOf, hasCode } from "#core/error-code.ts";
import { fsyncFolderSync } from "#database/embedded/fsync-folder.ts";

type Options = Parameters<NodeFS["init"]>[1];

/**
 * PGlite 0.5.16 never syncs: it starts with fsync off, its `fdatasync` does nothing, and its `fsync` calls an operation
 * that the file system for Node lacks and that is added here. `open-embedded.ts` tests this at each start.
 * PostgreSQL also expects names to be durable, so folders with changed names are synced before a sync is answered.
 */
export class SyncedFiles extends NodeFS {
  #walSyncs = 0;
  #trouble: string | undefined;
  #closeAll = (): void => undefined;
  readonly #changedFolders = new Set<string>();

  get walSyncs(): number {
    return this.#walSyncs;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  override async init(pglite: PGlite, options: Options): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addSyncs = (module: { readonly NODEFS: NodeFiles; readonly FS: EngineFiles }): void => {
      forgetUnmade(module.NODEFS, module.FS);
      this.#noteTrouble(module.NODEFS);
      this.#addSyncs(module.NODEFS);
      this.#closeAll = () => closeStreams(module.FS.streams);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSyncs] } };
  }

  /** A broken engine cannot be asked to close its files. */
  abandon(): void {
    this.#closeAll();
    // The same numbers may be those of other files by the next call.
    this.#closeAll = () => undefined;
  }

  #noteTrouble(files: NodeFiles): void {
    const { tryFSOperation } = files;
    files.tryFSOperation = (operation) =>
      tryFSOperation(() => {
        try {
          return operation();
        } catch (error) {
          if (!hasCode(error, "ENOENT")) this.#trouble = codeOf(error);
          throw error;
        }
      });
  }

  #addSyncs(files: NodeFiles): void {
    files.stream_ops.fsync = (stream) => {
      files.tryFSOperation(() => this.#sync(stream, files.realPath(stream.node)));
      return 0;
    };
    for (const name of ["mknod", "unlink", "rmdir", "symlink"] as const) {
      const original = files.node_ops[name];
      files.node_ops[name] = (parent, ...rest) => {
        this.#changedFolders.add(files.realPath(parent));
        return original(parent, ...rest);
      };
    }
    const { rename } = files.node_ops;
    files.node_ops.rename = (node, folder, name) => {
      this.#changedFolders.add(dirname(files.realPath(node)));
      this.#changedFolders.add(files.realPath(folder));
      rename(node, folder, name);
    };
  }

  #sync({ nfd, node }: Stream, path: string): void {
    for (const folder of this.#changedFolders) {
      fsyncFolderSync(folder);
      this.#changedFolders.delete(folder);
    }
    if (isFolder(node)) {
      fsyncSync(nfd);
      return;
    }
    // The length is data here, times are not: `fdatasync` writes all that is needed to read the content again.
    fdatasyncSync(nfd);
    if (walFile.test(path)) this.#walSyncs += 1;
  }
}

const walFile = /[\\/]pg_wal[\\/][0-9A-F]{24}$/;

/** Emscripten remembers a file that it could not create: with room on the disk again, it would say "File exists". */
function forgetUnmade(files: NodeFiles, all: EngineFiles): void {
  const { mknod } = files.node_ops;
  files.node_ops.mknod = (parent, name, ...rest) => {
    try {
      return mknod(parent, name, ...rest);
    } catch (error) {
      all.destroyNode(all.lookupNode(parent, name));
      throw error;
    }
  };
}

interface EngineFiles {
  readonly streams: Streams;
  lookupNode(parent: FileNode, name: unknown): FileNode;
  destroyNode(node: FileNode): void;
}

interface NodeFiles {
  readonly node_ops: {
    mknod: FolderOperation;
    unlink: FolderOperation;
    rmdir: FolderOperation;
    symlink: FolderOperation;
    rename: (node: FileNode, folder: FileNode, name: string) => void;
  };
  readonly stream_ops: { fsync?: (stream: Stream) => number };
  realPath(node: FileNode): string;
  tryFSOperation: (operation: () => unknown) => unknown;
}

type FolderOperation = (parent: FileNode, name: unknown, ...rest: readonly unknown[]) => unknown;

interface FileNode {
  readonly mode: number;
}

interface Stream {
  readonly nfd: number;
  readonly node: FileNode;
}

type Streams = readonly (Partial<Stream> | null | undefined)[];

const kindOfFile = 0o170000;
const kindFolder = 0o040000;

function isFolder({ mode }: FileNode): boolean {
  return (mode & kindOfFile) === kindFolder;
}

function closeStreams(streams: Streams): void {
  const open = new Set(streams.flatMap((stream) => stream?.nfd ?? []));
  for (const file of open) closeSync(file);
}
