import type { LocalChange } from "#app/review/local-change.ts";
import type { Diff } from "#core/diff/diff.ts";
import { RawFinding } from "#core/model/finding.ts";
import type { ReviewRules } from "#core/model/rules.ts";
import type { RolePass, RolePassOutcome } from "#core/report/make-report.ts";
import { anchorFindings } from "#core/review/anchor-findings.ts";
import { briefOf } from "#core/review/role-brief.ts";
import { passWords } from "#core/words/pass-words.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";

type Role = ReviewRules["roles"][number];

export type Reviewers = Readonly<Record<Role["reviewer"], Reviewer | null>>;

export interface RunRolesOptions extends Pick<ReviewJob, "signal"> {
  readonly reviewers: Reviewers;
  /** Why a kind of role has no reviewer. Without a reason none is configured. */
  readonly absent: Partial<Record<keyof Reviewers, string>>;
  readonly reviews: ReviewRules;
  readonly change: LocalChange;
  readonly diff: Diff;
  readonly tell: (words: string) => void;
}

export async function runRoles(roles: readonly Role[], options: RunRolesOptions): Promise<readonly RolePass[]> {
  options.tell(`looking at ${options.diff.files.length} files`);
  return await Promise.all(
    roles.map(async ({ name, reviewer }) => ({
      role: name,
      reviewer,
      outcome: await look({ name, reviewer }, options),
    })),
  );
}

async function look({ name, reviewer }: Role, options: RunRolesOptions): Promise<RolePassOutcome> {
  const { change, diff, reviews, signal, tell } = options;
  const who = options.reviewers[reviewer];
  if (who === null) {
    return {
      kind: "not_run",
      why: `it is played by a reviewer of the kind "${reviewer}", and ${options.absent[reviewer] ?? "none is configured here"}.`,
    };
  }
  const { head, baseBranch, readFile, repository } = change;
  const outcome = await who.review({
    role: name,
    brief: briefOf(reviews, name),
    head,
    baseBranch,
    diff: change.diff,
    readFile,
    repository,
    excludedPaths: reviews.excludedPaths,
    signal,
  });
  tell(`the role ${name} is done`);
  if (outcome.kind !== "completed") {
    return { kind: outcome.kind, why: outcome.why, costMicroUsd: outcome.costMicroUsd ?? 0 };
  }
  const findings = outcome.findings.map((finding) => ({ ...finding, role: name }));
  if (!findings.every((finding) => RawFinding.safeParse(finding).success)) {
    return { kind: "failed", why: passWords.malformedFindings, costMicroUsd: outcome.costMicroUsd };
  }
  return { ...outcome, findings: anchorFindings(diff, findings) };
}
