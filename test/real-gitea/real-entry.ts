import { inject } from "vitest";
import type { WorldEntry } from "#contract/forge/world.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The version of the real server that this project of vitest.config.ts runs on; null: on none. */
    readonly giteaVersion: string | null;
  }
}

/** What the contract suite runs on in a project that has a real server, and undefined in the others. */
export function findRealEntry(): WorldEntry | undefined {
  const version = inject("giteaVersion");
  return version === null ? undefined : realEntry(version);
}

export function realEntry(version: string): WorldEntry {
  const mayResolveThreads = isAtLeast(version, "1.26");
  return {
    name: `a real Gitea ${version}`,
    // Loaded when it is wanted: most projects have no real server.
    open: async () => (await import("./real-world.ts")).realWorld(version),
    capabilities: {
      mayEditReviewBodies: true,
      mayDismissReviews: true,
      mayJudgeOwnPull: false,
      mayApprove: true,
      mayResolveThreads,
      mayReactToReviews: true,
      tellsBodyEdits: false,
      hasNeutralGate: false,
      hasReactionEvents: false,
    },
    lacks: {
      time: "a real clock goes at its own pace",
      late_reads: "it shows no past",
      hundreds: "a push starts half a dozen processes",
      thousands: "a list of thousands takes minutes to fill",
      merge_delay: "it has mostly checked a push before somebody asks",
      steady_pages: "pages are counted from the front, so that a deletion moves what follows over their edges",
      mayJudgeOwnPull: "a verdict on one's own pull is refused",
      hasReactionEvents: "there is no webhook for reactions",
      tellsBodyEdits: "edits of the description are not told",
      permissions_of_others: "they are told to admins alone",
      requests_by_writers: "whoever was let in may ask for reviews, also those who may only read",
      refused_anchors: "a remark anywhere is accepted",
      hasNeutralGate: "a status is pending, success, failure or error",
      ...(mayResolveThreads ? {} : { mayResolveThreads: "threads are resolved in the browser alone before 1.26" }),
    },
  };
}

function isAtLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
