import { describe, expect, it } from "vitest";
import type { SandboxDelivery } from "#forges/sandbox/sandbox.ts";
import { type Harness, namesOf, openHarness, pushTo, remark } from "./harness.ts";

type Deed = (harness: Harness) => Promise<unknown>;

const deeds: readonly (readonly [string, Deed, github: readonly string[], gitea: readonly string[]])[] = [
  ["a push", (harness) => pushTo(harness, "b.txt"), ["pull_request/synchronize"], ["pull_request/synchronized"]],
  [
    "a comment",
    ({ people, pull }) => people.otto.comment(pull, "Hello."),
    ["issue_comment/created"],
    ["issue_comment/created"],
  ],
  [
    "an approval",
    ({ people, pull }) => people.rita.review(pull, { event: "approve", body: "" }),
    ["pull_request_review/submitted"],
    ["pull_request_approved/reviewed"],
  ],
  [
    "a request for changes with a remark",
    ({ people, pull }) => people.rita.review(pull, { event: "request_changes", body: "No.", remarks: [remark] }),
    ["pull_request_review/submitted", "pull_request_review_comment/created"],
    ["pull_request_rejected/reviewed"],
  ],
  [
    "a review without a verdict",
    ({ people, pull }) => people.rita.review(pull, { event: "comment", body: "Hm." }),
    ["pull_request_review/submitted"],
    ["pull_request_comment/reviewed"],
  ],
  [
    "an edit of the title",
    ({ people, pull }) => people.ada.editPull(pull, { title: "Better", body: "Better." }),
    ["pull_request/edited"],
    ["pull_request/edited"],
  ],
  [
    "becoming a draft and no draft",
    async ({ people, pull }) => {
      await people.ada.editPull(pull, { isDraft: true });
      await people.ada.editPull(pull, { isDraft: false });
    },
    ["pull_request/converted_to_draft", "pull_request/ready_for_review"],
    ["pull_request/edited", "pull_request/edited"],
  ],
  [
    "a label",
    ({ people, pull }) => people.ada.editPull(pull, { labels: ["bug"] }),
    ["pull_request/labeled"],
    ["pull_request/label_updated"],
  ],
  [
    "being closed and opened again",
    async ({ people, pull }) => {
      await people.ada.editPull(pull, { state: "closed" });
      await people.ada.editPull(pull, { state: "open" });
    },
    ["pull_request/closed", "pull_request/reopened"],
    ["pull_request/closed", "pull_request/reopened"],
  ],
  ["a merge", ({ people, pull }) => people.mia.merge(pull), ["pull_request/closed"], ["pull_request/closed"]],
  [
    "a request for a review",
    ({ drover, pull, accounts }) => drover.requestReviews({ pull, reviewers: [accounts.rita] }),
    ["pull_request/review_requested"],
    ["pull_request/review_requested"],
  ],
  ["a reaction", ({ people, pull }) => people.rita.react(pull, "+1"), [], []],
  [
    "a status of a person",
    ({ people, repository, head }) => people.rita.report({ repository, commit: head, name: "ci", state: "passed" }),
    ["status/"],
    [],
  ],
  [
    "a check of an app",
    ({ people, repository, head }) => people.drover.report({ repository, commit: head, name: "ci", state: "passed" }),
    ["check_run/completed"],
    [],
  ],
];

describe.each(["github", "gitea"] as const)("what is sent in the manner of %s", (manner) => {
  it.each(deeds)("for %s", async (_, deed, github, gitea) => {
    const harness = await openHarness(manner);
    const before = harness.sandbox.deliveries.length;
    await deed(harness);
    expect(namesOf(harness.sandbox.deliveries.slice(before))).toEqual(manner === "github" ? github : gitea);
  });

  it("reaches whoever listens, and says where to look", async () => {
    const harness = await openHarness(manner);
    const heard: SandboxDelivery[] = [];
    harness.sandbox.subscribe((delivery) => heard.push(delivery));
    await harness.people.otto.comment(harness.pull, "Hello.");
    expect(heard).toEqual(harness.sandbox.deliveries.slice(-1));
    expect(heard.map(({ pull }) => pull)).toEqual([harness.pull]);
  });

  it.each([true, false])("after opening, with a push that never was: %s", async (sendsSpuriousSynchronized) => {
    const { sandbox } = await openHarness(manner, { sendsSpuriousSynchronized });
    const pushed = manner === "github" ? "pull_request/synchronize" : "pull_request/synchronized";
    const expected = sendsSpuriousSynchronized ? ["pull_request/opened", pushed] : ["pull_request/opened"];
    expect(namesOf(sandbox.deliveries)).toEqual(expected);
  });

  it.each([true, false])("for an edit of the text alone, hidden or not: %s", async (hidesBodyEdits) => {
    const { sandbox, people, pull } = await openHarness(manner, { hidesBodyEdits });
    const before = sandbox.deliveries.length;
    await people.ada.editPull(pull, { body: "Second." });
    expect(sandbox.deliveries.length - before).toBe(hidesBodyEdits ? 0 : 1);
  });

  it("for what changes nothing is nothing", async () => {
    const { sandbox, people, pull } = await openHarness(manner);
    const before = [sandbox.deliveries.length, sandbox.history.length];
    await people.ada.editPull(pull, { title: "A change", body: "First.", isDraft: false, state: "open", base: "main" });
    expect([sandbox.deliveries.length, sandbox.history.length]).toEqual(before);
  });

  it("for a status goes to every open pull with that head, and to no other", async () => {
    const harness = await openHarness("github");
    const { people, repository, head, pull } = harness;
    await people.ada.forcePush({ repository, branch: "twin", to: head });
    const twin = await people.ada.openPull({ repository, branch: "twin", base: "main", title: "Twin", body: "" });
    await people.ada.push({ repository, branch: "third", changes: { "t.txt": "t\n" }, message: "Third" });
    await people.ada.openPull({ repository, branch: "third", base: "main", title: "Third", body: "" });
    const before = harness.sandbox.deliveries.length;
    await people.rita.report({ repository, commit: head, name: "ci", state: "failed" });
    expect(harness.sandbox.deliveries.slice(before).map(({ pull: { number } }) => number)).toEqual([
      pull.number,
      twin.number,
    ]);
  });
});

describe("redelivery", () => {
  it("brings the same delivery again, on GitHub", async () => {
    const { sandbox } = await openHarness("github");
    const heard: SandboxDelivery[] = [];
    sandbox.subscribe((delivery) => heard.push(delivery));
    const [first] = sandbox.deliveries;
    sandbox.redeliver(first?.id ?? "");
    expect(heard).toEqual([first]);
    expect(sandbox.deliveries).toHaveLength(1);
    expect(() => sandbox.redeliver("nothing")).toThrow("nothing");
  });

  it("is not known to Gitea", async () => {
    const { sandbox } = await openHarness("gitea");
    expect(() => sandbox.redeliver(sandbox.deliveries[0]?.id ?? "")).toThrow("Gitea");
  });
});
