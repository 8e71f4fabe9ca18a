import { describe, expect, it } from "vitest";
import { readRepositoryFile } from "#config/read-repository-file.ts";
import type { Reviewer, ReviewJob } from "#ports/reviewer.ts";
import { aCompletedReview, aReviewer, onlyModel } from "#testing/review-makers.ts";
import { type JobWorld, openJobWorld } from "./job-world.ts";

interface Watching extends Reviewer {
  readonly jobs: ReviewJob[];
}

function watching(): Watching {
  const jobs: ReviewJob[] = [];
  const reviewer = aReviewer((job) => {
    jobs.push(job);
    return aCompletedReview({ summary: "Read." });
  });
  return { ...reviewer, jobs };
}

const roles = [{ name: "general", reviewer: "model" as const }];

async function reviewed(
  reviewer: Reviewer,
  files: { readonly base?: string; readonly head?: string },
): Promise<JobWorld> {
  const world = await openJobWorld({
    rules: { reviews: { roles } },
    base: files.base === undefined ? {} : { ".drover.yml": files.base },
    changes: { "src/app.js": "run();\n", ...(files.head === undefined ? {} : { ".drover.yml": files.head }) },
    dependencies: { reviewers: onlyModel(reviewer), addBaseRules: readRepositoryFile },
  });
  await world.tick();
  await world.job("review");
  return world;
}

async function summaryOf(world: JobWorld): Promise<string> {
  const state = (await world.records()).runs.at(-1)?.state;
  return state?.kind === "completed" ? state.summary : `${state?.kind}`;
}

const own = "reviews: { excludedPaths: [dist/], roles: [{ name: general, instructions: Mind the orders. }] }\n";

describe("a review", () => {
  it("goes by the file of the base branch", async () => {
    const reviewer = watching();
    const world = await reviewed(reviewer, { base: own });
    expect(reviewer.jobs).toMatchObject([{ excludedPaths: ["dist/"], brief: { instructions: "Mind the orders." } }]);
    expect(await summaryOf(world)).toBe("Read.");
  });

  it("never goes by the file of the head", async () => {
    const reviewer = watching();
    await reviewed(reviewer, { head: own });
    await reviewed(reviewer, { base: "reviews: {}\n", head: own });
    expect(reviewer.jobs).toMatchObject([
      { excludedPaths: [], brief: { instructions: null } },
      { excludedPaths: [], brief: { instructions: null } },
    ]);
  });

  it("says what of the file does not hold, and is made all the same", async () => {
    const reviewer = watching();
    const world = await reviewed(reviewer, { base: `merge: { when: when_approved }\n${own}` });
    expect(reviewer.jobs).toMatchObject([{ excludedPaths: ["dist/"] }]);
    expect(await summaryOf(world)).toBe(
      "Read.\nNot all of `.drover.yml` on the base branch holds: `merge: only the operator can set it`.",
    );
    const broken = await reviewed(reviewer, { base: "reviews: [" });
    expect(await summaryOf(broken)).toMatch(/^Read\.\nNot all of `\.drover\.yml`/);
    const huge = await reviewed(reviewer, { base: `#${"x".repeat(70_000)}` });
    expect(await summaryOf(huge)).toContain("`it has more than 64000 bytes`");
  });
});
