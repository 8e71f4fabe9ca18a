import type { Capabilities } from "#core/model/capabilities.ts";
import { findRealEntry } from "#real-gitea/real-entry.ts";
import { giteaWorld } from "./gitea-world.ts";
import { githubWorld } from "./github-world.ts";
import { remoteWorld } from "./remote-world.ts";
import { sandboxWorld } from "./sandbox-world.ts";
import type { Need, WorldEntry } from "./world.ts";

const github: Capabilities = {
  mayEditReviewBodies: true,
  mayDismissReviews: true,
  mayJudgeOwnPull: false,
  mayApprove: true,
  mayResolveThreads: true,
  mayReactToReviews: true,
  tellsBodyEdits: true,
  hasNeutralGate: true,
  hasReactionEvents: false,
};

const tinyPages = { pageSize: 3, cutsTimesToSeconds: false } as const;

const slowPages = "three entries a page take too long";

const everywhereLacks = {
  steady_pages: "pages are counted from the front, so that a deletion moves what follows over their edges",
  mayJudgeOwnPull: "a verdict on one's own pull is refused",
  hasReactionEvents: "there is no webhook for reactions",
} as const;

const githubLacks = {
  ...everywhereLacks,
  long_texts: "a text of more than 65,536 characters is refused",
  pending_reviews: "a failed submission leaves nothing behind",
} as const;

const gitea: Capabilities = { ...github, mayResolveThreads: false, tellsBodyEdits: false, hasNeutralGate: false };

const giteaLacks = {
  ...everywhereLacks,
  tellsBodyEdits: "edits of the description are not told",
  push_times: "the time of a push is not told",
  permissions_of_others: "they are told to admins alone",
  refused_anchors: "a remark anywhere is accepted",
  mayResolveThreads: "threads are resolved in the browser alone before 1.26",
  hasNeutralGate: "a status is pending, success, failure or error",
} as const;

/** A real one tells when a push came in, by the line that it puts below the pull. */
const toldByGitea: WorldEntry["lacks"] = {
  ...without(giteaLacks, ["push_times"]),
  thousands: "the lists take the same way as in the sandbox, and several seconds",
};

/** Every forge, one suite. The switched ones have the quirks that their forge has in other versions, and tiny pages. */
const builtWorlds: readonly WorldEntry[] = [
  {
    name: "sandbox as GitHub",
    open: () => sandboxWorld("github"),
    capabilities: github,
    lacks: githubLacks,
  },
  {
    name: "sandbox as Gitea",
    open: () => sandboxWorld("gitea"),
    capabilities: gitea,
    lacks: giteaLacks,
  },
  {
    name: "sandbox, GitHub switched",
    open: () => sandboxWorld("github", { ...tinyPages, leaksPendingReviews: true, repointsReviews: false }),
    capabilities: github,
    lacks: { ...without(githubLacks, ["pending_reviews"]), thousands: slowPages },
  },
  {
    name: "sandbox, Gitea switched",
    open: () =>
      sandboxWorld("gitea", { ...tinyPages, resolvesThreads: true, hidesPermissions: false, hidesPushTimes: false }),
    capabilities: { ...gitea, mayResolveThreads: true, tellsBodyEdits: true },
    lacks: {
      ...without(giteaLacks, ["permissions_of_others", "mayResolveThreads", "push_times", "tellsBodyEdits"]),
      thousands: slowPages,
    },
  },
  {
    name: "sandbox as GitHub, over HTTP",
    open: () => remoteWorld("github"),
    capabilities: github,
    lacks: githubLacks,
  },
  {
    name: "sandbox as Gitea, over HTTP",
    open: () => remoteWorld("gitea"),
    capabilities: gitea,
    lacks: giteaLacks,
  },
  {
    name: "GitHub as an App",
    open: () => githubWorld("app"),
    capabilities: github,
    lacks: githubLacks,
  },
  {
    name: "GitHub with a token",
    open: () => githubWorld("token"),
    capabilities: { ...github, hasNeutralGate: false },
    lacks: {
      ...githubLacks,
      hasNeutralGate: "a status is pending, success, failure or error",
      long_gate_words: "a status has 140 characters",
      thousands: "the lists take the same way as with an App, and several seconds",
    },
  },
  {
    name: "Gitea 1.25",
    open: () => giteaWorld("1.25.5"),
    capabilities: gitea,
    lacks: toldByGitea,
  },
  {
    name: "Gitea 1.27",
    open: () => giteaWorld("1.27.3"),
    capabilities: { ...gitea, mayResolveThreads: true },
    lacks: without(toldByGitea, ["mayResolveThreads"]),
  },
];

const realEntry = findRealEntry();

/** Where there is a real server, the suite runs on it alone: see vitest.config.ts. */
export const worlds: readonly WorldEntry[] = realEntry === undefined ? builtWorlds : [realEntry];

function without(lacks: WorldEntry["lacks"], needs: readonly Need[]): WorldEntry["lacks"] {
  return Object.fromEntries(Object.entries(lacks).filter(([need]) => !needs.some((each) => each === need)));
}

/** Those that have something, for groups of tests that make no sense without it. */
export function worldsWith(need: Need): readonly WorldEntry[] {
  return worlds.filter(({ lacks }) => lacks[need] === undefined);
}
