import { describe, expect, it } from "vitest";
import { unpinnedAction } from "#reviewers/rules/ci/unpinned-action.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const workflow = ".github/workflows/ci.yml";

describe("unpinned-action", () => {
  it.each([
    [workflow, "      - uses: someone/deploy@main", "1"],
    [workflow, "    uses: org/repo/.github/workflows/build.yml@develop", "1"],
    [workflow, "      - uses: actions/checkout@main", "1"],
    [workflow, "      - uses: 'someone/deploy@v3'", "1 score 5"],
    [".gitea/workflows/ci.yaml", "      - uses: someone/deploy@1.2.3 # latest", "1 score 5"],
    ["action.yml", "    - uses: someone/deploy@abc1234", "1"],
  ])("finds an unpinned action in %s: %s", async (path, line, place) => {
    expect(await placesOf(unpinnedAction, [newFile(path, line)])).toEqual([place]);
  });

  it.each([
    [workflow, `      - uses: someone/deploy@${"0123abcd".repeat(5)} # v3`],
    [workflow, "      - uses: actions/checkout@v4"],
    [workflow, "      - uses: github/codeql-action/init@v3"],
    [workflow, "      - uses: ./.github/actions/build"],
    [workflow, "      - uses: docker://alpine@sha256:abc"],
    [workflow, "      # - uses: someone/deploy@main"],
    [workflow, "      - run: echo uses: a/b@main"],
    ["docs/ci.yml", "      - uses: someone/deploy@main"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(unpinnedAction, [newFile(path, line)])).toEqual([]);
  });
});
