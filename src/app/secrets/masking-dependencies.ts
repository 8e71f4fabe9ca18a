import { maskingLog } from "#app/secrets/masking-log.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { SecretMasker } from "#core/secrets/known-secrets.ts";
import { maskStrings } from "#core/secrets/mask-strings.ts";
import type { Agent } from "#ports/agent.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import type { Answerer } from "#ports/model.ts";
import type { BatchedReviewer, Reviewer, ReviewOutcome } from "#ports/reviewer.ts";

/** Masks before any text is used, so that the text stored, compared and cut is the text that is published. */
export function maskingDependencies(dependencies: Dependencies, secrets: SecretMasker): Dependencies {
  return {
    ...dependencies,
    knownSecrets: secrets,
    log: maskingLog(dependencies.log, secrets),
    reviewers: {
      get rules() {
        return guardedReviewer(dependencies.reviewers.rules, secrets);
      },
      get model() {
        return guardedReviewer(dependencies.reviewers.model, secrets);
      },
      get agent() {
        return guardedReviewer(dependencies.reviewers.agent, secrets);
      },
    },
    get model() {
      return guardedAnswerer(dependencies.model, secrets);
    },
    agent: guardedAgent(dependencies.agent, secrets),
    notifier: { notify: async (notice) => await dependencies.notifier.notify(maskStrings(notice, secrets)) },
  };
}

function guardedReviewer(reviewer: Reviewer | null, secrets: SecretMasker): Reviewer | null {
  if (reviewer === null) return null;
  const { batched } = reviewer;
  return {
    ...reviewer,
    review: async (job) => guardedOutcome(await reviewer.review(job), secrets),
    ...(batched === undefined ? {} : { batched: guardedBatched(batched, secrets) }),
  };
}

function guardedBatched(batched: BatchedReviewer, secrets: SecretMasker): BatchedReviewer {
  return {
    ...batched,
    next: async (job, answers) => {
      const step = await batched.next(job, answers);
      return step.kind === "done" ? { ...step, outcome: guardedOutcome(step.outcome, secrets) } : step;
    },
  };
}

function guardedOutcome(outcome: ReviewOutcome, secrets: SecretMasker): ReviewOutcome {
  if (outcome.kind !== "completed") return { ...outcome, why: secrets.mask(outcome.why) };
  return {
    ...outcome,
    summary: secrets.mask(outcome.summary),
    findings: outcome.findings.map((finding) => guardedFinding(finding, secrets)),
  };
}

/** A suggestion becomes code as it is: a masked one would be no fix. */
function guardedFinding(finding: RawFinding, secrets: SecretMasker): RawFinding {
  const { suggestion, path } = finding;
  const isWhole = suggestion === null || secrets.mask(suggestion) === suggestion;
  return { ...maskStrings(finding, secrets), path, suggestion: isWhole ? suggestion : null };
}

function guardedAnswerer(model: Answerer | null, secrets: SecretMasker): Answerer | null {
  if (model === null) return null;
  return { ...model, ask: async (question) => maskStrings(await model.ask(question), secrets) };
}

function guardedAgent(agent: Agent | null, secrets: SecretMasker): Agent | null {
  return agent === null ? null : { ...agent, run: async (job) => maskStrings(await agent.run(job), secrets) };
}
