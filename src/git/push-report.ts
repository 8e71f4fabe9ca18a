export type PushReport = "done" | "rejected" | "none";

/** Of `push --porcelain`. The exit code cannot tell a refusal from a broken connection; the flag can, but for one. */
export function readPushReport(output: string, ref: string): PushReport {
  for (const line of output.split("\n")) {
    const [flag, names, summary = ""] = line.split("\t");
    if (names === undefined || !names.endsWith(`:${ref}`)) continue;
    if (flag !== "!") return "done";
    return summary.startsWith("[remote failure]") ? "none" : "rejected";
  }
  return "none";
}
