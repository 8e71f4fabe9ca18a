import { describe, expect, test } from "vitest";
import { CommentId, HeadSha, RepositoryId, ReviewId, ThreadId } from "#core/model/ids.ts";
import { createSecretMasker } from "#core/secrets/known-secrets.ts";
import { maskingForge } from "#forges/masking-forge.ts";
import { type Forge, forgeWrites } from "#ports/forge.ts";

type Write = (typeof forgeWrites)[number];
type Requests = { readonly [Name in Write]: Parameters<Forge[Name]>[0] };

const token = "b7Qx2fLm9ZpT4rKw8vYc";
const { known } = createSecretMasker([{ name: "the token", value: token }]);
const text = `Here: ${token} and ${btoa(token)}.`;

const pull = { repository: { id: RepositoryId.parse("7"), name: "acme/tools" }, number: 1 };
const head = HeadSha.parse("a".repeat(40));
const [comment, review, thread] = [CommentId.parse("1"), ReviewId.parse("2"), ThreadId.parse("3")];
const place = { path: "a.ts", side: "new", lines: { first: 1, last: 1 } } as const;

/** Of each write a request with the token in every text that it takes. A new write does not compile without one. */
const requests: Requests = {
  createComment: { pull, body: text },
  editComment: { pull, comment, body: text },
  addReaction: { pull, comment, content: "eyes" },
  claimPull: { pull, sign: "rocket" },
  releasePull: { pull, claim: "7", sign: "rocket" },
  submitReview: { pull, head, event: "comment", body: text, remarks: [{ ...place, body: text }] },
  editReview: { pull, review, body: text },
  dismissReview: { pull, review, words: text },
  discardPendingReview: { pull, review },
  replyInThread: { pull, thread, body: text },
  resolveThread: { pull, thread },
  setGate: { pull, head, state: "failure", words: text, annotations: [{ ...place, level: "warning", words: text }] },
  editLabels: { pull, add: [token], remove: ["old"] },
  requestReviews: { pull, reviewers: [] },
  merge: { pull, head },
};

/** The writes in which the token reaches the forge, and those that never reach it. */
async function leaksOf(guard: (forge: Forge) => Forge): Promise<readonly string[]> {
  const sent = new Map<string, string>();
  const note = (name: Write) => async (request: unknown) => {
    sent.set(name, JSON.stringify(request));
  };
  const heard: unknown = Object.fromEntries(forgeWrites.map((name) => [name, note(name)]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody reads through it, and what writes answer is not looked at.
  const forge = guard(heard as Forge);
  for (const name of forgeWrites) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the request is that of this very write.
    await (forge[name] as (request: unknown) => Promise<unknown>)(requests[name]);
  }
  return forgeWrites.filter((name) => {
    const said = sent.get(name);
    return said === undefined || said.includes(token) || said.includes(btoa(token).slice(0, -2));
  });
}

function careless(forge: Forge): Forge {
  return { ...maskingForge(forge, known), replyInThread: async (request) => forge.replyInThread(request) };
}

describe("a guarded forge", () => {
  test("is told the token by none of its writes, and all of them arrive", async () => {
    expect(await leaksOf((forge) => maskingForge(forge, known))).toEqual([]);
  });

  test("would be found out if one of them let a text through", async () => {
    const withText = forgeWrites.filter((name) => JSON.stringify(requests[name]).includes(token));
    expect(await leaksOf((forge) => forge)).toEqual(withText);
    expect(await leaksOf(careless)).toEqual(["replyInThread"]);
  });

  test("changes no other word, nor what a remark is about", async () => {
    const seen: unknown[] = [];
    const heard: unknown = { submitReview: async (request: unknown) => seen.push(request) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this one is called.
    await maskingForge(heard as Forge, known).submitReview({
      ...requests.submitReview,
      body: "Fine.",
      remarks: [{ ...place, body: `See ${token}.` }],
    });
    expect(seen).toEqual([
      { pull, head, event: "comment", body: "Fine.", remarks: [{ ...place, body: "See ‹secret›." }] },
    ]);
  });
});
