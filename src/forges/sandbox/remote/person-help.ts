/** One deed as an example that can be pasted into a shell. */
interface Example {
  readonly what: string;
  readonly deed: string;
  readonly asked: object;
}

const repository = "acme/tools";
const first = { repository, pull: 1 };

/** Ids are those of the first of each kind: `look` shows them all. */
const examples: readonly Example[] = [
  {
    what: "pushes commits",
    deed: "push",
    asked: { repository, branch: "b", message: "Change it", files: { "a.txt": "A\n" } },
  },
  { what: "opens a pull", deed: "openPull", asked: { repository, branch: "b", title: "Change it" } },
  {
    what: "edits a pull; also body, isDraft, state, labels",
    deed: "editPull",
    asked: { ...first, change: { title: "Another title" } },
  },
  {
    what: "sets a branch to another commit",
    deed: "forcePush",
    asked: { repository, branch: "b", to: "0".repeat(40) },
  },
  { what: "rebases a pull onto its base", deed: "rebase", asked: first },
  { what: "comments", deed: "comment", asked: { ...first, body: "@drover status" } },
  { what: "edits a comment", deed: "editComment", asked: { ...first, comment: "1", body: "Other words" } },
  { what: "deletes a comment", deed: "deleteComment", asked: { ...first, comment: "1" } },
  {
    what: "reviews: approve, request_changes, comment; also remarks",
    deed: "review",
    asked: { ...first, event: "approve" },
  },
  { what: "dismisses a review", deed: "dismissReview", asked: { ...first, review: "1" } },
  { what: "replies in a thread", deed: "reply", asked: { ...first, thread: "1", body: "No." } },
  { what: "resolves a thread", deed: "resolveThread", asked: { ...first, thread: "1" } },
  { what: "reacts", deed: "react", asked: { ...first, content: "+1" } },
  { what: "takes a reaction back", deed: "unreact", asked: { ...first, content: "+1" } },
  {
    what: "reports a check",
    deed: "report",
    asked: { repository, commit: "0".repeat(40), name: "ci", state: "passed" },
  },
  { what: "merges", deed: "merge", asked: first },
  {
    what: "has the next calls of drover fail: lost_response, server_error, rate_limited, timeout, expired_token, stale",
    deed: "fault",
    asked: { fault: { kind: "server_error", isApplied: false }, times: 3 },
  },
  { what: "shows everything that is to be seen of a pull", deed: "look", asked: first },
];

/** What people can do, as lines that can be pasted; whoever asks does it. */
export function personHelp({ url, token }: { readonly url: string; readonly token: string }): string {
  const lines = examples.flatMap((example) => [`# ${example.what}`, curlLine({ url, token, ...example })]);
  return `${lines.join("\n")}\n`;
}

/** One line for a shell. JSON has another spelling for the only character that would end the quotes. */
export function curlLine(call: {
  readonly url: string;
  readonly token: string;
  readonly deed: string;
  readonly asked: object;
}): string {
  const json = JSON.stringify(call.asked).replaceAll("'", "\\u0027");
  return `curl -H 'Authorization: Bearer ${call.token}' ${call.url}/person/${call.deed} -d '${json}'`;
}
