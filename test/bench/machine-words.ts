import { cpus, totalmem } from "node:os";

/** The kind of machine, without which no figure means anything. */
export function machineWords(): string {
  const all = cpus();
  const memory = Math.round(totalmem() / 1e9);
  return `${all.length} × ${all[0]?.model.trim() ?? "unknown"}, ${memory} GB, Node ${process.versions.node}`;
}
