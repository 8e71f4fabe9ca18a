/** `none`: the remote did not say what became of the ref. */
export type PushReport = "done" | "rejected" | "none";

/**
 * Reads `git push --porcelain`: a flag, the two names and a summary, between tabs. The exit code cannot tell a refusal from
 * a connection that broke after everything was sent; the flag can, but for the one summary that means just that.
 */
export function readPushReport(output: string, ref: string): PushReport {
  for (const line of output.split("\n")) {
    const [flag, names, summary = ""] = line.split("\t");
    if (names === undefined || !names.endsWith(`:${ref}`)) continue;
    if (flag !== "!") return "done";
    return summary.startsWith("[remote failure]") ? "none" : "rejected";
  }
  return "none";
}
