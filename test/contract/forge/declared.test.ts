import { describe, expect, it } from "vitest";
import { worlds } from "./worlds.ts";

describe("what the forges of this suite cannot do", () => {
  it.each(worlds)("is declared in full by $name, capabilities included", ({ capabilities, lacks }) => {
    const missing = Object.entries(capabilities).filter(([, isThere]) => !isThere);
    const declared = Object.keys(capabilities).filter((name) => Object.hasOwn(lacks, name));
    expect(declared.sort()).toEqual(missing.map(([name]) => name).sort());
  });

  it("is known, and grows only on purpose", () => {
    expect(Object.fromEntries(worlds.map(({ name, lacks }) => [name, Object.keys(lacks).sort()]))).toEqual({
      "sandbox as GitHub": ["hasReactionEvents", "long_texts", "mayJudgeOwnPull", "pending_reviews", "steady_pages"],
      "sandbox as GitHub, over HTTP": [
        "hasReactionEvents",
        "long_texts",
        "mayJudgeOwnPull",
        "pending_reviews",
        "steady_pages",
      ],
      "sandbox, GitHub switched": ["hasReactionEvents", "long_texts", "mayJudgeOwnPull", "steady_pages", "thousands"],
      "GitHub as an App": ["hasReactionEvents", "long_texts", "mayJudgeOwnPull", "pending_reviews", "steady_pages"],
      "GitHub with a token": [
        "hasNeutralGate",
        "hasReactionEvents",
        "long_gate_words",
        "long_texts",
        "mayJudgeOwnPull",
        "pending_reviews",
        "steady_pages",
        "thousands",
      ],
      "Gitea 1.25": [
        "hasNeutralGate",
        "hasReactionEvents",
        "mayJudgeOwnPull",
        "mayResolveThreads",
        "permissions_of_others",
        "refused_anchors",
        "steady_pages",
        "tellsBodyEdits",
        "thousands",
      ],
      "Gitea 1.27": [
        "hasNeutralGate",
        "hasReactionEvents",
        "mayJudgeOwnPull",
        "permissions_of_others",
        "refused_anchors",
        "steady_pages",
        "tellsBodyEdits",
        "thousands",
      ],
      "sandbox as Gitea": [
        "hasNeutralGate",
        "hasReactionEvents",
        "mayJudgeOwnPull",
        "mayResolveThreads",
        "permissions_of_others",
        "push_times",
        "refused_anchors",
        "steady_pages",
        "tellsBodyEdits",
      ],
      "sandbox as Gitea, over HTTP": [
        "hasNeutralGate",
        "hasReactionEvents",
        "mayJudgeOwnPull",
        "mayResolveThreads",
        "permissions_of_others",
        "push_times",
        "refused_anchors",
        "steady_pages",
        "tellsBodyEdits",
      ],
      "sandbox, Gitea switched": [
        "hasNeutralGate",
        "hasReactionEvents",
        "mayJudgeOwnPull",
        "refused_anchors",
        "steady_pages",
        "thousands",
      ],
    });
  });
});
