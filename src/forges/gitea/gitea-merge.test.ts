import { describe, expect, it } from "vitest";
import { HeadSha, RepositoryId } from "#core/model/ids.ts";
import { createGiteaClient } from "#forges/gitea/gitea-client.ts";
import { answersByName, type HeardRequest, type ScriptedAnswer } from "#testing/scripted-fetch.ts";
import { stillClock } from "#testing/still-clock.ts";

const pull = { repository: { id: RepositoryId.parse("7"), name: "mia/tools" }, number: 12 };
const [head, other] = [HeadSha.parse("a".repeat(40)), HeadSha.parse("b".repeat(40))];
const time = "2026-01-01T10:00:00Z";
const api = "/api/v1/repos/mia/tools";
const branch = { label: "parser", ref: "parser", sha: head, repo_id: 7 };
const wirePull = {
  number: 12,
  title: "Add a parser",
  user: { id: 5, login: "rita" },
  state: "open",
  merged: false,
  merge_commit_sha: null,
  head: branch,
  base: branch,
  created_at: time,
  updated_at: time,
};

function connect(answers: Readonly<Record<string, ScriptedAnswer>>) {
  const { fetch, heard } = answersByName(answers);
  const clock = stillClock(0);
  return { forge: createGiteaClient({ url: "https://git.test", token: "t", clock, fetch }), heard };
}

function bodyOf(heard: readonly HeardRequest[], name: string): unknown {
  return heard.find(({ method, path }) => `${method} ${path}` === name)?.body;
}

describe("a merge on Gitea", () => {
  const post = `POST ${api}/pulls/12/merge`;
  const settings = { id: 7, full_name: "mia/tools" };
  const merge = (answers: Readonly<Record<string, ScriptedAnswer>>) => {
    const { forge, heard } = connect({ [`GET ${api}`]: settings, ...answers });
    return { outcome: forge.merge({ pull, head }), heard };
  };

  it.each([
    [409, "head out of date", { kind: "head_moved" }],
    [409, "merge push out of date", { kind: "not_now", why: "merge push out of date" }],
    [
      409,
      "PushRejected without remote error message",
      { kind: "not_now", why: "PushRejected without remote error message" },
    ],
    [405, "Please try again later", { kind: "not_now", why: "Please try again later" }],
    [405, "", { kind: "not_now", why: "not mergeable" }],
  ])("that is answered with %i %j is %j", async (status, message, outcome) => {
    expect(await merge({ [post]: [status, { message }] }).outcome).toEqual(outcome);
  });

  it("is forbidden to those who may not, which is no matter of time", async () => {
    const { outcome } = merge({ [post]: [405, { message: "User not allowed to merge PR" }] });
    await expect(outcome).rejects.toMatchObject({ kind: "forbidden", isApplied: "no" });
  });

  it.each([
    [{}, "merge"],
    [{ default_merge_style: "squash", allow_squash_merge: true }, "squash"],
    [{ default_merge_style: "squash", allow_squash_merge: false }, "merge"],
    [{ allow_merge_commits: false, allow_rebase: true, default_merge_style: "merge" }, "rebase"],
    [{ allow_merge_commits: false, allow_fast_forward_only_merge: true }, "fast-forward-only"],
  ])("with %j is done by %s, of this head alone", async (change, style) => {
    const done = { [post]: [200, null] as const, [`GET ${api}/pulls/12`]: { ...wirePull, merge_commit_sha: other } };
    const { outcome, heard } = merge({ ...done, [`GET ${api}`]: { ...settings, ...change } });
    expect(await outcome).toEqual({ kind: "merged", commit: other });
    expect(bodyOf(heard, post)).toEqual({
      Do: style,
      MergeTitleField: "",
      MergeMessageField: "",
      head_commit_id: head,
    });
  });

  it("that is not to be seen yet may have happened", async () => {
    const { outcome } = merge({ [post]: [200, null], [`GET ${api}/pulls/12`]: wirePull });
    await expect(outcome).rejects.toMatchObject({ kind: "unavailable", isApplied: "unknown" });
    const gone = merge({ [post]: [200, null] });
    await expect(gone.outcome).rejects.toMatchObject({ kind: "not_found", isApplied: "unknown" });
  });
});
