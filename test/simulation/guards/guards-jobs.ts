import type { Guard } from "./guard.ts";

/** Long work: found again, not repeated, and not believed when it comes too late. */
export const jobGuards: readonly Guard[] = [
  {
    name: "remarked-line-is-kept-by-each-commit",
    why: "A suggestion is applied to a line that reads like the remarked one, which was deleted before.",
    file: "src/jobs/place-remark.ts",
    text: "if (lines === undefined) return false;",
    instead: "if (lines === undefined) return true;",
    killedBy: {
      test: "test/jobs/suggestions-corrupt-code.test.ts",
      because: "The same text has to come back after the line was deleted: one seed of some 50,000.",
    },
  },
  {
    name: "earlier-answer-as-known-by-now",
    why: "A reworded question has two answers: the first one was found again while the model was asked for the second.",
    file: "src/jobs/answer.ts",
    text: "const earlier = now?.answer ?? task.earlierAnswer;",
    instead: "const earlier = known?.answer ?? task.earlierAnswer;",
    killedBy: {
      test: "test/scenarios/conversations-go-wrong.test.ts",
      because: "A worker has to stand still with an answer on the wire while its question is reworded.",
    },
  },
  {
    name: "unheard-bills-count",
    why: "A stranger has any number of paid looks by pushing while each of them is under way.",
    file: "src/jobs/abandon-run.ts",
    text: "const isUnknown = costMicroUsd === 0 && !isSettled;",
    instead: "const isUnknown = false;",
    killedBy: {
      test: "test/scenarios/strangers-cost-little.test.ts",
      because: "It takes one look after the other that is cancelled half-way on one pull.",
    },
  },
  {
    name: "claim-is-confirmed-before-work",
    why: "A run whose forge asked for quiet goes on as soon as it may, though another run has worked on the pull meanwhile.",
    file: "src/app/run/run-loop.ts",
    text: "await options.confirmClaim(over);",
    instead: "",
    killedBy: {
      test: "test/run/run-taken-over.test.ts",
      because: "A forge has to be quiet for longer than a claim holds: one seed of some 15,000.",
    },
  },
  {
    name: "run-ends-with-its-claim",
    why: "A run that stood still goes on beside the run that took its pull over, and overwrites what that one has noted.",
    file: "src/app/run/run-pull.ts",
    text: "signal: AbortSignal.any([options.signal, held.lost]),",
    instead: "signal: options.signal,",
    killedBy: {
      test: "test/run/run-taken-over.test.ts",
      because: "Two runs have to overlap while a write waits for many minutes: one seed of some 9,000.",
    },
  },
  {
    name: "claim-by-both-signs",
    why: "A run that starts while another one holds the second sign pays for the same review.",
    file: "src/app/run/claim-pull.ts",
    text: "return isFree ? first : { ...second, sign: secondSign };",
    instead: "return first;",
    killedBy: {
      test: "test/run/claim-pull.test.ts",
      because: "The oracle excuses what bad weather may have done to a claim, and few runs last for longer than one.",
    },
  },
  {
    name: "command-newer-than-marker-of-one-look",
    why: "On Gitea `enable-reviews` gets its thumb and is lost to an older marker that the same look sees first.",
    file: "src/core/derive/derive.ts",
    text: "firstOf(seen.observedAt, commands.filter(isNewSwitch))",
    instead: "seen.observedAt",
    killedBy: {
      test: "test/scenarios/suppression.test.ts",
      because: "All workers have to be away for minutes while a marker and then a command are written.",
    },
  },
  {
    name: "pushed-session-is-not-failed",
    why: "A session whose commit is on the branch ends as failed, and the next one refuses what it has done.",
    file: "src/jobs/run-session-job.ts",
    text: 'if (jobContext.attempt < pushTriesMax && (await hasChange(jobContext)))\n      return { kind: "again", at: nextAttemptAt(jobContext) };',
    instead: "",
    killedBy: {
      test: "test/jobs/session-push-lost.test.ts",
      because: "Several workers have to die behind the push, and git has to be in trouble then.",
    },
  },
  {
    name: "failed-look-stays-paid",
    why: "A stranger's author has one paid review more for each that failed and was cancelled when it was tried again.",
    file: "src/core/review/review-run.ts",
    text: 'return (state.kind === "failed" || state.kind === "cancelled") && droppedMicroUsd !== 0;',
    instead: 'return state.kind === "cancelled" && droppedMicroUsd !== 0;',
    killedBy: {
      test: "src/core/review/review-run.test.ts",
      because: "The last review that is left has to be the one that fails, and a push has to come right after it.",
    },
  },
  {
    name: "look-without-price-is-free",
    why: "An author without write permission loses a paid review to a look that nobody began.",
    file: "src/jobs/running-review.ts",
    text: 'isAsked || state.kind === "completed"',
    instead: "true",
    killedBy: {
      test: "test/jobs/strangers.test.ts",
      because:
        "The forge has to be out of order for as long as a head stands, and the next push has to be the last one paid for.",
    },
  },
  {
    name: "command-is-about-the-head-it-began",
    why: "As long as its answer is not recorded, one `enable-reviews` pays for each head that is pushed.",
    file: "src/core/derive/commands.ts",
    text: "return heads.history.findLast(isReviewed) ?? heads.current;",
    instead: "return heads.current;",
    killedBy: {
      test: "src/core/derive/outsider-quota.test.ts",
      because: "Worker after worker has to die between the review and the answer to the command.",
    },
  },
  {
    name: "unnamed-role-pays-for-no-other",
    why: "After a change of roles a stranger's head is reviewed by a paid role because one without cost has looked at it.",
    file: "src/core/derive/outsider-quota.ts",
    text: "payable.has(role) &&",
    instead: "role !== null &&",
    killedBy: {
      test: "src/core/derive/outsider-quota.test.ts",
      because: "The oracle allows a look more for each change of the roles.",
    },
  },
  {
    name: "refused-suggestion-stays-refused",
    why: "A suggestion is applied after its author was told to suggest it again.",
    file: "src/jobs/session-feedback.ts",
    text: "found !== null && isRefused(context, comment)",
    instead: "found !== null && false",
    killedBy: {
      test: "test/jobs/suggestions-corrupt-code.test.ts",
      because:
        "Two suggestions have to overlap, and the author has to push back to where they were made and say `fix` again.",
    },
  },
  {
    name: "session-that-pushed-goes-on",
    why: "Nobody is told of what a session pushed, and the next one refuses what it has applied.",
    file: "src/core/derive/fixing.ts",
    text: "const mustStop = isUnwanted && running.head === context.heads.current.sha;",
    instead: "const mustStop = isUnwanted;",
    killedBy: {
      test: "test/scenarios/fixing.test.ts",
      because:
        "A worker has to die between the push and its words, and somebody has to approve before the next one comes.",
    },
  },
  {
    name: "fix-that-was-taken-back",
    why: "The session of a `fix` that its author has edited away pushes to a draft.",
    file: "src/core/derive/fixing.ts",
    text: "isStillAsked ? running.purpose : null",
    instead: "running.purpose",
    killedBy: {
      test: "test/scenarios/fixing.test.ts",
      because: "A `fix` has to be edited away while its session works on a draft: rare for a list of seeds.",
    },
  },
  {
    name: "step-remembered",
    why: "After a crash the model is asked, and paid, once more.",
    file: "src/jobs/review-in-role.ts",
    text: "const known = await findStep(context, passStep);",
    instead: "const known = await findStep(context, { ...passStep, name: `not ${passStep.name}` });",
    killedBy: {
      test: "test/jobs/review-job.test.ts",
      because: "What a second answer costs shows on no forge.",
    },
  },
  {
    name: "run-still-wanted-before-writing",
    why: "A review that was cancelled changes the findings all the same.",
    file: "src/jobs/running-review.ts",
    text: "if (known === undefined) return records;",
    instead: "",
    killedBy: {
      test: "test/jobs/review-job.test.ts",
      because: "The next look of the same role says the same about the findings.",
    },
  },
  {
    name: "review-reads-its-own-head",
    why: "What was found in one commit is said about another.",
    file: "src/jobs/run-review-job.ts",
    text: "if (role === undefined || head.sha !== run.head || base.branch !== run.baseBranch) return await headUnseen(task);",
    instead: "if (role === undefined) return await headUnseen(task);",
    killedBy: {
      test: "test/jobs/review-job.test.ts",
      because: "The head has to move in the moment between two calls of the same job.",
    },
  },
  {
    name: "session-leaves-workflows-alone",
    why: "An agent that was talked into it changes what the CI runs, with the CI's secrets.",
    file: "src/jobs/work-session.ts",
    text: 'ciPaths: "protected",',
    instead: 'ciPaths: "free",',
  },
  {
    name: "session-pushes-onto-its-own-head",
    why: "The push of a session overwrites what its author pushed meanwhile.",
    file: "src/jobs/run-session-job.ts",
    text: 'expected: session.head, manner: "fast_forward", signal });',
    instead:
      'expected: (await mirror.fetchRefs({ remote, refs: [ref], signal }))[0]?.commit ?? session.head, manner: "rewrite", signal });',
  },
  {
    name: "suggestion-follows-its-lines",
    why: "After a push a suggestion replaces whatever stands at the old line numbers.",
    file: "src/jobs/place-remark.ts",
    text: 'if (read.kind !== "diff" || read.mergeBase !== base) return null;',
    instead: 'if (read.kind !== "diff") return null;',
    killedBy: {
      test: "test/jobs/suggestions-corrupt-code.test.ts",
      because: "A push has to move the lines of a suggestion and change one of them: rare in a list of seeds.",
    },
  },
  {
    name: "session-is-paid-for",
    why: "A session costs five dollars where fifty cents were left.",
    file: "src/jobs/pay-session.ts",
    text: 'if (choice.kind === "refused") return await waitForMoney(paying, choice);',
    instead: "",
    killedBy: {
      test: "test/jobs/sessions-pay.test.ts",
      because: "What an agent costs shows on no forge.",
    },
  },
  {
    name: "no-session-on-hold",
    why: "A session pushes to a pull that somebody has put on hold.",
    file: "src/core/derive/fixing.ts",
    text: 'if (hold.kind === "held") return "held";',
    instead: "",
  },
  {
    name: "no-session-on-a-draft",
    why: "A session pushes to a draft on which its author still works.",
    file: "src/core/derive/fixing.ts",
    text: 'if (seen.pull.isDraft) return "draft";',
    instead: "",
  },
  {
    name: "no-session-over-an-approval",
    why: "A friendly remark after an approval starts a session, whose push takes the approval away.",
    file: "src/core/derive/fixing.ts",
    text: 'if (approval.status === "approved") return "approved";',
    instead: "",
    killedBy: {
      test: "test/scenarios/fixing.test.ts",
      because: "It takes a remark after an approval that can be proven to mean the head: rare for a list of seeds.",
    },
  },
  {
    name: "no-session-under-eyes",
    why: "A session changes the code that a reviewer is reading.",
    file: "src/core/derive/fixing.ts",
    text: 'return approval.why.by.some(({ id }) => people.isWriter(id)) ? "eyes" : null;',
    instead: "return null;",
  },
];
