import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { errorText } from "#core/error-text.ts";

const run = promisify(execFile);

/** A file system of its own for the data of a server. Only root may mount one. */
export interface Disk {
  readonly folder: string;
  /** Leaves no room for anything on it. */
  readonly fill: () => Promise<void>;
  readonly makeRoom: () => Promise<void>;
  /** Whatever has not reached the device by now never does. Whoever uses it has to be killed. */
  cutPower(): Promise<void>;
  /** After a cut, and with nobody on it: as the machine does when it starts. */
  powerUp(): Promise<void>;
  remove(): Promise<void>;
}

const bytesMax = 256 * 1024 * 1024;

/** Enough for a journal. */
const probeBytes = 16 * 1024 * 1024;

/** The git of a server that was killed is a process group of its own: it goes on for moments, and holds the disk. */
const busyMsMax = 10_000;
const glanceMs = 100;

/**
 * Why no disk can be made and cut off here; null where it can. Tried rather than guessed: root in a container may not
 * mount, and programs may be missing.
 */
export async function findDiskObstacle(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "only root may mount one";
  const place = await mkdtemp(join(tmpdir(), "drover-probe-"));
  try {
    const disk = await makeDisk(place, probeBytes);
    try {
      await disk.cutPower();
      await disk.powerUp();
    } finally {
      await disk.remove();
    }
    return null;
  } catch (error) {
    return errorText(error).split("\n")[0] ?? "";
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** ext4 on a loop device. */
export async function makeDisk(place: string, bytes: number = bytesMax): Promise<Disk> {
  const [image, folder] = [join(place, "disk.img"), join(place, "disk")];
  const ballast = join(folder, "ballast");
  const mount = async (): Promise<void> => {
    await run("mount", ["-o", "loop", image, folder]);
  };
  await mkdir(folder);
  await writeFile(image, "");
  await truncate(image, bytes);
  await run("mkfs.ext4", ["-q", "-F", "-m", "0", image]);
  await mount();
  return {
    folder,
    fill: async () => {
      await run("dd", ["if=/dev/zero", `of=${ballast}`, "bs=4096"]).catch(() => undefined);
    },
    makeRoom: () => rm(ballast),
    cutPower: async () => {
      await run("perl", ["-e", shutDown, folder]);
    },
    powerUp: async () => {
      await unmount(folder);
      await run("fsck.ext4", ["-p", image]).catch(tolerateRepair);
      await mount();
    },
    remove: () => unmount(folder),
  };
}

async function unmount(folder: string): Promise<void> {
  const deadline = performance.now() + busyMsMax;
  for (;;) {
    try {
      await run("umount", [folder]);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(glanceMs);
  }
}

/**
 * The call by which file systems are tested for power cuts: all dirty pages and the journal that is not written yet are
 * dropped, and everything that is asked of the file system from then on fails. Node has no way to make it.
 */
const shutDown = 'open(my $d, "<", $ARGV[0]) or die $!; my $f = pack("L", 2); ioctl($d, 0x8004587d, $f) or die $!;';

/** 1: something was repaired, as the journal after every cut. */
function tolerateRepair(error: unknown): void {
  const isRepaired = error instanceof Error && "code" in error && error.code === 1;
  if (!isRepaired) throw error;
}
