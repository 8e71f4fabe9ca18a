import type { Sandbox, SandboxPull } from "#forges/sandbox/sandbox.ts";

interface Example {
  readonly what: string;
  readonly deed: string;
  readonly asked: object;
}

/** Of the newest pull, so that the lines work as they stand. */
function examplesFor(seen: SandboxPull | undefined): readonly Example[] {
  const repository = seen?.ref.repository.name ?? "acme/tools";
  const on = { repository, pull: seen?.ref.number ?? 1 };
  const branch = seen?.pull.head.branch ?? "b";
  const commit = seen?.pull.head.sha ?? "0".repeat(40);
  const comment = seen?.comments.at(-1)?.id ?? "1";
  const review =
    seen?.reviews.findLast(({ state }) => state === "approved" || state === "changes_requested")?.id ?? "1";
  const thread = seen?.threads.at(-1)?.id ?? "1";
  return [
    {
      what: "pushes commits",
      deed: "push",
      asked: { repository, branch: "b", message: "Change it", files: { "a.txt": "A\n" } },
    },
    { what: "opens a pull", deed: "openPull", asked: { repository, branch: "b", title: "Change it" } },
    {
      what: "edits a pull; also body, isDraft, state, labels",
      deed: "editPull",
      asked: { ...on, change: { title: "Another title" } },
    },
    {
      what: "sets a branch to another commit",
      deed: "forcePush",
      asked: { repository, branch, to: commit },
    },
    { what: "rebases a pull onto its base", deed: "rebase", asked: on },
    { what: "comments", deed: "comment", asked: { ...on, body: "@drover status" } },
    { what: "edits a comment", deed: "editComment", asked: { ...on, comment, body: "Other words" } },
    { what: "deletes a comment", deed: "deleteComment", asked: { ...on, comment } },
    { what: "reviews: approve, request_changes, comment", deed: "review", asked: { ...on, event: "approve" } },
    {
      what: "reviews with a remark on lines of a changed file, which begins a thread",
      deed: "review",
      asked: {
        ...on,
        event: "comment",
        body: "One remark.",
        remarks: [{ path: "a.txt", side: "new", lines: { first: 1, last: 1 }, body: "Why?" }],
      },
    },
    { what: "dismisses a review", deed: "dismissReview", asked: { ...on, review } },
    { what: "replies in a thread", deed: "reply", asked: { ...on, thread, body: "No." } },
    { what: "resolves a thread", deed: "resolveThread", asked: { ...on, thread } },
    { what: "reacts", deed: "react", asked: { ...on, content: "+1" } },
    { what: "takes a reaction back", deed: "unreact", asked: { ...on, content: "+1" } },
    {
      what: "reports a check",
      deed: "report",
      asked: { repository, commit, name: "ci", state: "passed" },
    },
    { what: "merges", deed: "merge", asked: on },
    {
      what: "has the next calls of drover fail: lost_response, server_error, rate_limited, timeout, expired_token, stale",
      deed: "fault",
      asked: { fault: { kind: "server_error", isApplied: false }, times: 3 },
    },
    { what: "shows everything that is to be seen of a pull", deed: "look", asked: on },
  ];
}

interface PersonHelp {
  readonly url: string;
  readonly token: string;
  readonly sandbox: Pick<Sandbox, "history" | "look">;
}

export function personHelp({ url, token, sandbox }: PersonHelp): string {
  const newest = sandbox.history.findLast(({ pull }) => pull !== null)?.pull ?? null;
  const seen = newest === null ? undefined : sandbox.look(newest);
  const examples = examplesFor(seen);
  const lines = examples.flatMap((example) => [`# ${example.what}`, curlLine({ url, token, ...example })]);
  const about = "# The ids are those of the newest pull, or 1 where it has none of the kind. look shows all of them.";
  return `${[about, ...lines].join("\n")}\n`;
}

/** JSON has another spelling for the only character that would end the quotes. */
export function curlLine(call: {
  readonly url: string;
  readonly token: string;
  readonly deed: string;
  readonly asked: object;
}): string {
  const json = JSON.stringify(call.asked).replaceAll("'", "\\u0027");
  return `curl -H 'Authorization: Bearer ${call.token}' ${call.url}/person/${call.deed} -d '${json}'`;
}
