import { expect, inject, test } from "vitest";
import { giteaBuilds } from "./gitea-builds.ts";
import { realEntry } from "./real-entry.ts";

const version = inject("giteaVersion") ?? "";

/** In every version. */
const lackedEverywhere = [
  "hasNeutralGate",
  "hasReactionEvents",
  "hundreds",
  "late_reads",
  "mayJudgeOwnPull",
  "merge_delay",
  "permissions_of_others",
  "refused_anchors",
  "requests_by_writers",
  "steady_pages",
  "tellsBodyEdits",
  "thousands",
  "time",
];

test("what a real server lacks is known, and grows only on purpose", () => {
  const lacked = Object.fromEntries(
    giteaBuilds.map((build) => [build.version, Object.keys(realEntry(build.version).lacks).sort()]),
  );
  expect(lacked).toEqual({
    "1.25.5": [...lackedEverywhere, "mayResolveThreads"].sort(),
    "1.27.3": lackedEverywhere,
  });
});

test("capabilities that are missing are declared", () => {
  const { capabilities, lacks } = realEntry(version);
  const missing = Object.entries(capabilities).filter(([, isThere]) => !isThere);
  const declared = Object.keys(capabilities).filter((name) => Object.hasOwn(lacks, name));
  expect(declared.sort()).toEqual(missing.map(([name]) => name).sort());
});
