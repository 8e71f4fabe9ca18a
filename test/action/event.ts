import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export type EventName = "pull_request" | "issue_comment" | "pull_request_review" | "pull_request_review_comment";

/** As much of GitHub's event as an Action may look at, and some more that it must not believe. */
export function eventOf(
  { event, pull, fork }: { readonly event: EventName; readonly pull: PullRef; readonly fork?: string },
  repository: RepositoryRef,
): object {
  const common = { repository: { id: Number(repository.id), full_name: repository.name }, sender: { login: "ada" } };
  if (event === "issue_comment") {
    const url = `https://api.github.com/repos/${repository.name}/pulls/${pull.number}`;
    const comment = { id: 1, body: "Whatever it says, only the pull itself is believed.", user: { type: "User" } };
    return { action: "created", ...common, issue: { number: pull.number, pull_request: { url } }, comment };
  }
  const head = { sha: "0".repeat(40), repo: { full_name: fork ?? repository.name } };
  const base = { sha: "0".repeat(40), repo: { full_name: repository.name } };
  return { action: "opened", ...common, pull_request: { number: pull.number, draft: false, head, base } };
}
