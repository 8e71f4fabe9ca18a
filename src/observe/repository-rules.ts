import { after, type Instant, minuteMs } from "#core/model/instant.ts";
import type { Pull } from "#core/model/pull.ts";
import type { Rules } from "#core/model/rules.ts";
import { baseRulesBytesMax, repositoryFilePath } from "#core/review/repository-file.ts";
import { mirrorKey } from "#observe/change-facts.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { GitError } from "#ports/git.ts";
import type { PullRef } from "#ports/pull-ref.ts";

type Needed = Pick<Dependencies, "instance" | "forge" | "git" | "clock" | "log" | "addBaseRules">;

/** Only where the operator lets the base branch decide. */
export type AddAutomatic = (rules: Rules, ref: PullRef, pull: Pull) => Promise<Rules>;

type Automatic = Rules["reviews"]["automatic"];

/** A fetch for each tick would cost more than all the rest of it. */
const keptMs = 5 * minuteMs;
const keptMax = 1_000;

export function repositoryAutomatic(parts: Needed): AddAutomatic {
  const kept = new Map<string, { readonly automatic: Automatic; readonly until: Instant }>();
  return async (rules, ref, pull) => {
    if (!rules.reviews.repositorySetsAutomatic || parts.addBaseRules === undefined) return rules;
    if (pull.state !== "open") return rules;
    const key = JSON.stringify([ref.repository.id, pull.base.branch]);
    const known = kept.get(key);
    const isFresh = known !== undefined && known.until > parts.clock.now();
    const read = isFresh ? known.automatic : await readAutomatic(parts, { rules, ref, pull });
    if (read !== null && !isFresh) {
      if (kept.size >= keptMax) kept.clear();
      kept.set(key, { automatic: read, until: after(parts.clock.now(), keptMs) });
    }
    // Unknown is not "off": no pull passes unreviewed because git could not be asked.
    const automatic = read ?? known?.automatic ?? "enabled";
    return { ...rules, reviews: { ...rules.reviews, automatic } };
  };
}

/** Null: git failed. A file that cannot be read leaves the operator's setting. */
async function readAutomatic(
  parts: Needed,
  { rules, ref, pull }: { readonly rules: Rules; readonly ref: PullRef; readonly pull: Pull },
): Promise<Automatic | null> {
  try {
    const remote = await parts.forge.fetchRemote(ref.repository, "read");
    const key = mirrorKey(parts.instance, ref.repository.id);
    const mirror = (await parts.git.findMirror(key)) ?? (await parts.git.ensureMirror({ key, remote }));
    const [base] = await mirror.fetchRefs({ remote, refs: [`refs/heads/${pull.base.branch}`] });
    if (base?.commit === undefined || base.commit === null) return null;
    const read = await mirror.readFile({ commit: base.commit, path: repositoryFilePath, bytesMax: baseRulesBytesMax });
    if (read.kind === "unknown_commit") return null;
    if (read.kind !== "file") return rules.reviews.automatic;
    return parts.addBaseRules?.(rules, new TextDecoder().decode(read.bytes)).rules.reviews.automatic ?? null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    parts.log.warn({ pull: ref.number, kind: error.kind }, "git could not tell the rules of the base branch");
    return null;
  }
}
