import { describe, expect, test } from "vitest";
import { maskingDependencies } from "#app/secrets/masking-dependencies.ts";
import { createSecretMasker } from "#core/secrets/known-secrets.ts";
import type { Agent, SessionJob } from "#ports/agent.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Answerer } from "#ports/model.ts";
import type { Notice } from "#ports/notifier.ts";
import type { BatchedReviewer, ReviewJob } from "#ports/reviewer.ts";
import { aCompletedReview, aFailedReview, aRawFinding, aReviewer, onlyModel } from "#testing/review-makers.ts";

const token = "b7Qx2fLm9ZpT4rKw8vYc";
const { known } = createSecretMasker([{ name: "the token", value: token }]);

const finding = aRawFinding({
  path: `src/${token}.ts`,
  snippet: `const key = "${token}";`,
  message: `It is ${btoa(token)}.`,
  suggestion: `const key = "${token}";`,
});

const outcome = aCompletedReview({
  findings: [finding, { ...finding, suggestion: "const key = read();" }],
  summary: `All of ${token}.`,
  costMicroUsd: 1,
});

/** What is read of them in these tests, and nothing else. */
function partsWith(some: Partial<Dependencies>): Dependencies {
  const none: Partial<Dependencies> = {
    reviewers: { rules: null, model: null, agent: null },
    model: null,
    agent: null,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other parts are passed on as they are.
  return maskingDependencies({ ...none, ...some } as Dependencies, known);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reviewers of these tests do not look at it.
const job = {} as ReviewJob;

describe("what a reviewer says", () => {
  test.each(["rules", "model", "agent"] as const)("as the one for %s is masked", async (kind) => {
    const reviewers = { rules: null, model: null, agent: null, [kind]: aReviewer(() => outcome) };
    const said = await partsWith({ reviewers }).reviewers[kind]?.review(job);
    expect(said).toMatchObject({ summary: "All of ‹secret›.", costMicroUsd: 1 });
    const [first, second] = said?.kind === "completed" ? said.findings : [];
    expect(first).toMatchObject({
      message: expect.stringMatching(/^It is ‹secret›M?=.$/),
      snippet: 'const key = "‹secret›";',
      suggestion: null,
    });
    // A file has to be found, and is in the repository anyway; a suggestion without a secret is a suggestion.
    expect(first?.path).toBe(finding.path);
    expect(second?.suggestion).toBe("const key = read();");
  });

  test("in a batch, or of a failure, is masked too", async () => {
    const failed = aFailedReview(`401 for ${token}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its steps are asked for.
    const batched = { next: async () => ({ kind: "done", outcome }) } as unknown as BatchedReviewer;
    const guarded = partsWith({ reviewers: onlyModel(aReviewer(() => failed, { batched })) }).reviewers.model;
    expect(await guarded?.review(job)).toEqual({ ...failed, why: "401 for ‹secret›" });
    expect(await guarded?.batched?.next(job, [])).toMatchObject({ outcome: { summary: "All of ‹secret›." } });
  });
});

test("what a model, an agent and a notice say is masked", async () => {
  const notices: Notice[] = [];
  const model: Answerer = { ask: async () => ({ kind: "answered", text: `It is ${token}`, costMicroUsd: 1 }) };
  const done = { kind: "nothing_to_do", summary: `No ${token}`, notAddressed: [], costMicroUsd: 0 } as const;
  const agent: Agent = { run: async () => done };
  const dependencies = partsWith({ model, agent, notifier: { notify: async (notice) => void notices.push(notice) } });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody looks at the question.
  expect(await dependencies.model?.ask({} as Parameters<Answerer["ask"]>[0])).toMatchObject({ text: "It is ‹secret›" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nor at the job.
  expect(await dependencies.agent?.run({} as SessionJob)).toMatchObject({ summary: "No ‹secret›" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it is about does not matter here.
  await dependencies.notifier.notify({ what: { kind: "escalated", severity: "info", text: `See ${token}` } } as Notice);
  expect(notices).toEqual([{ what: { kind: "escalated", severity: "info", text: "See ‹secret›" } }]);
});

test("models that a reload brings are asked from then on", () => {
  let current: Answerer | null = null;
  const plain = {
    reviewers: { rules: null, model: null, agent: null },
    get model() {
      return current;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above.
  const dependencies = maskingDependencies(plain as unknown as Dependencies, known);
  expect(dependencies.model).toBeNull();
  current = { ask: async () => ({ kind: "failed", why: "", retryAt: null }) };
  expect(dependencies.model).not.toBeNull();
});
