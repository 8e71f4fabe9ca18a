import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountId, HeadSha, InstanceId } from "#core/model/ids.ts";
import type { GithubAccess } from "#forges/github/github-client.ts";
import { permissionsFor } from "#forges/github/github-rights.ts";
import { createGithubWebhook } from "#forges/github/github-webhook.ts";
import type { Forge } from "#ports/forge.ts";
import { type EmulateWorld, openEmulateWorld, webhookSecret } from "./emulate-world.ts";

/**
 * The real client against GitHub as another project emulates it: App, comments, check runs, merging, webhooks. It has no
 * GraphQL, reactions or statuses, so nothing of what needs them is asked of it. Paging has a file of its own.
 */
let world: EmulateWorld;
let client: Forge;

beforeAll(async () => {
  world = await openEmulateWorld();
  client = world.clientWith(world.access);
});

afterAll(async () => {
  await world.close();
});

const anotherSha = HeadSha.parse("a".repeat(40));

describe("an App at emulate", () => {
  it("gets a token for one repository with no more rights than a look needs", async () => {
    const repository = await world.clientWith(world.access).fetchRepository("mia/tools");
    const { body } = await world.ask("GET", "/_emulate/installation-tokens");
    expect(repository.name).toBe("mia/tools");
    expect(body.installation_tokens.at(-1)).toMatchObject({
      installation: { id: 17 },
      repository_ids: [Number(repository.id)],
      permissions: permissionsFor.look,
    });
  });

  it("is told who its bot is", async () => {
    const { bot, capabilities } = await client.fetchIdentity();
    expect(bot.login).toBe("drover[bot]");
    expect(capabilities.hasNeutralGate).toBe(true);
  });

  it("is told where git finds the repository, with a token that may do what it is for", async () => {
    const repository = await client.fetchRepository("mia/tools");
    await client.fetchRemote(repository, "read");
    const reading = await world.ask("GET", "/_emulate/installation-tokens");
    expect(reading.body.installation_tokens.at(-1)).toMatchObject({ permissions: permissionsFor.look });
    const remote = await client.fetchRemote(repository, "push");
    const { body } = await world.ask("GET", "/_emulate/installation-tokens");
    expect(remote.url).toMatch(/\/mia\/tools\.git$/);
    expect(remote.credential?.reveal()).toMatch(/^ghs_/);
    expect(body.installation_tokens.at(-1)).toMatchObject({ permissions: permissionsFor.change });
  });

  it("finds no repository where it is not installed", async () => {
    await expect(client.fetchRepository("eve/foreign")).rejects.toMatchObject({ kind: "not_found", isApplied: "no" });
  });

  it("is turned away with another key", async () => {
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "pkcs1", format: "pem" },
    });
    const access: GithubAccess = { kind: "app", appId: "4170", privateKey, installation: 17 };
    await expect(world.clientWith(access).fetchRepository("mia/tools")).rejects.toMatchObject({ kind: "unauthorized" });
  });

  it("may not do what it was not given the right to", async () => {
    const repository = await client.fetchRepository("otto/talk");
    const comment = client.createComment({ pull: { repository, number: 1 }, body: "Hello" });
    await expect(comment).rejects.toMatchObject({ kind: "forbidden", isApplied: "no" });
  });

  it("is told an owner's permission, and nothing about somebody who is not there", async () => {
    const repository = await client.fetchRepository("mia/tools");
    const { body: mia } = await world.ask("GET", "/users/mia");
    const owner = { id: AccountId.parse(String(mia.id)), login: "mia", kind: "person" } as const;
    const nobody = { id: AccountId.parse("1"), login: "nobody-at-all", kind: "person" } as const;
    expect(await client.fetchPermission({ repository, account: owner })).toBe("admin");
    expect(await client.fetchPermission({ repository, account: nobody })).toBe("undetermined");
  });
});

describe("a pull at emulate", () => {
  it("has the comment that was made, and then what it was changed to", async () => {
    const { pull } = await world.openPull();
    const comment = await client.createComment({ pull, body: "First words — ünïcode" });
    const before = await world.ask("GET", `/repos/mia/tools/issues/${pull.number}/comments`);
    expect(before.body.map((each: { body: string }) => each.body)).toEqual(["First words — ünïcode"]);
    await client.editComment({ pull, comment, body: "Second words" });
    const after = await world.ask("GET", `/repos/mia/tools/issues/${pull.number}/comments`);
    expect(after.body).toMatchObject([{ body: "Second words", user: { login: "drover[bot]" } }]);
  });

  it.each([
    ["pending", { status: "in_progress", conclusion: null }],
    ["success", { status: "completed", conclusion: "success" }],
    ["failure", { status: "completed", conclusion: "failure" }],
    ["neutral", { status: "completed", conclusion: "neutral" }],
  ] as const)("shows a gate that is %s as a check run of its head", async (state, shown) => {
    const { pull, head } = await world.openPull();
    await client.setGate({ pull, head, state, words: "what is missing" });
    const { body } = await world.ask("GET", `/repos/mia/tools/commits/${head}/check-runs`);
    const [run] = body.check_runs;
    expect(run).toMatchObject({ name: "drover", head_sha: head, ...shown, output: { title: "what is missing" } });
  });

  it("has the review that was submitted, until it is dismissed, and dismissing it twice is once", async () => {
    const { pull, head } = await world.openPull();
    const review = await client.submitReview({ pull, head, event: "request_changes", body: "Not yet.", remarks: [] });
    const path = `/repos/mia/tools/pulls/${pull.number}/reviews/${review}`;
    const before = await world.ask("GET", path);
    expect(before.body).toMatchObject({ state: "CHANGES_REQUESTED", body: "Not yet.", commit_id: head });
    await client.dismissReview({ pull, review, words: "Done." });
    await client.dismissReview({ pull, review, words: "Done." });
    const after = await world.ask("GET", path);
    expect(after.body).toMatchObject({ state: "DISMISSED" });
  });

  it("has the reviewers that were asked for, once", async () => {
    const { pull } = await world.openPull();
    const otto = { id: AccountId.parse("1"), login: "otto", kind: "person" } as const;
    await client.requestReviews({ pull, reviewers: [otto] });
    await client.requestReviews({ pull, reviewers: [otto] });
    const { body } = await world.ask("GET", `/repos/mia/tools/pulls/${pull.number}`);
    expect(body.requested_reviewers).toMatchObject([{ login: "otto" }]);
  });

  it("is merged at the head that was named", async () => {
    const { pull, head } = await world.openPull();
    const outcome = await client.merge({ pull, head });
    const { body } = await world.ask("GET", `/repos/mia/tools/pulls/${pull.number}`);
    expect(body).toMatchObject({ merged: true, merged_by: { login: "drover[bot]" } });
    expect(outcome).toEqual({ kind: "merged", commit: body.merge_commit_sha });
  });

  // GitHub answers 409 here, and emulate 422: the client knows the one, and takes the other for what it is, a refusal.
  it("is not merged at another head", async () => {
    const { pull } = await world.openPull();
    await expect(client.merge({ pull, head: anotherSha })).rejects.toMatchObject({ kind: "refused", isApplied: "no" });
    const { body } = await world.ask("GET", `/repos/mia/tools/pulls/${pull.number}`);
    expect(body).toMatchObject({ merged: false, state: "open" });
  });
});

describe("a webhook of emulate", () => {
  const instance = InstanceId.parse("github");
  const readerWith = (secret: string) => createGithubWebhook({ instance, secrets: [secret] });

  it("leads to a pull that was opened", async () => {
    const { pull } = await world.openPull();
    const delivery = await world.deliveryOf("pull_request", `/pulls/${pull.number}"`);
    expect(readerWith(webhookSecret).read(delivery)).toMatchObject({
      kind: "reference",
      event: "pull_request.opened",
      pulls: [pull],
    });
  });

  it("leads to the pull that was reviewed", async () => {
    const { pull, head } = await world.openPull();
    await client.submitReview({ pull, head, event: "comment", body: "Read.", remarks: [] });
    const delivery = await world.deliveryOf("pull_request_review", `/pulls/${pull.number}"`);
    expect(readerWith(webhookSecret).read(delivery)).toMatchObject({
      kind: "reference",
      event: "pull_request_review.submitted",
      pulls: [pull],
    });
  });

  // GitHub marks the issue of such a comment as a pull, and emulate does not: so it is one on an issue to us.
  it("about a comment is one about an issue, as long as nobody says that it is a pull", async () => {
    const { pull } = await world.openPull();
    await client.createComment({ pull, body: "A comment on something" });
    const delivery = await world.deliveryOf("issue_comment", "A comment on something");
    expect(readerWith(webhookSecret).read(delivery)).toEqual({ kind: "ignored", why: "issue_comment" });
  });

  // GitHub lists the pulls of the commit, and emulate none at all.
  it("about a check leads nowhere where it names no pull", async () => {
    const { pull, head } = await world.openPull();
    await client.setGate({ pull, head, state: "success", words: "nothing is missing" });
    const delivery = await world.deliveryOf("check_run", head);
    expect(readerWith(webhookSecret).read(delivery)).toEqual({ kind: "ignored", why: "no_pull_named" });
  });

  it("is refused by whoever has another secret, and with another body", async () => {
    const { pull } = await world.openPull();
    await client.createComment({ pull, body: "The words that were signed" });
    const delivery = await world.deliveryOf("issue_comment", "The words that were signed");
    const body = Buffer.from(Buffer.from(delivery.body).toString("utf8").replace("signed", "forged"));
    const refused = { kind: "refused", why: "bad_signature" };
    expect(readerWith("another secret").read(delivery)).toEqual(refused);
    expect(readerWith(webhookSecret).read({ ...delivery, body })).toEqual(refused);
  });
});
