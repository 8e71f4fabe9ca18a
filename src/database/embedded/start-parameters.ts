/** As PGlite starts PostgreSQL by itself: one process, without workers. */
const manner = ["--single", "-O", "-j"];

/** 4 to 16 MB make no difference to our queries; all of it is allocated at once. */
const sharedBuffers = "8MB";

const settings = {
  search_path: "public",
  exit_on_error: "false",
  log_checkpoints: "false",
  max_worker_processes: "0",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  io_method: "sync",
  shared_buffers: sharedBuffers,
} as const;

/** The default way to sync, `fdatasync`, does nothing in PGlite. */
const durableSettings = {
  fsync: "on",
  wal_sync_method: "fsync",
  synchronous_commit: "on",
  full_page_writes: "on",
} as const;

/** Durable only with files that sync. */
export const durableStart: readonly string[] = startParameters({ ...settings, ...durableSettings });

export const memoryStart: readonly string[] = startParameters({ ...settings, fsync: "off" });

function startParameters(all: Readonly<Record<string, string>>): readonly string[] {
  return [...manner, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
