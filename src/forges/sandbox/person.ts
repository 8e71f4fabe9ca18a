import type { Account } from "#core/model/account.ts";
import { applyMerge } from "#forges/sandbox/apply-merge.ts";
import { applyReview } from "#forges/sandbox/apply-review.ts";
import { addComment, addReply, changeCommentBody, removeComment } from "#forges/sandbox/change-comments.ts";
import { addReaction, removeReaction } from "#forges/sandbox/change-reactions.ts";
import { applyDismissal, resolveThread } from "#forges/sandbox/change-review.ts";
import { areAnchored } from "#forges/sandbox/check-anchors.ts";
import { detectPushes } from "#forges/sandbox/detect-pushes.ts";
import { editPull } from "#forges/sandbox/edit-pull.ts";
import { openPull } from "#forges/sandbox/open-pull.ts";
import { pushBranch, pushForced, rebaseBranch } from "#forges/sandbox/push-branch.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import { reportStatus } from "#forges/sandbox/report-status.ts";
import type { SandboxPerson } from "#forges/sandbox/sandbox.ts";
import {
  entryOf,
  newestOf,
  type PullEntry,
  permissionIn,
  type Repository,
  repositoryOf,
  type World,
} from "#forges/sandbox/world.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export function personOf(world: World, by: Account): SandboxPerson {
  const inRepository = <Result>(ref: RepositoryRef, work: (repository: Repository) => Promise<Result> | Result) =>
    world.inTurn(async () => {
      const repository = repositoryOf(world, ref);
      if (permissionIn(repository, by) === "none")
        throw new EndpointRefusal(404, `${by.login} does not see ${ref.name}`);
      await detectPushes(world, repository);
      return work(repository);
    });
  const onPull = <Result>(ref: PullRef, work: (entry: PullEntry) => Promise<Result> | Result) =>
    inRepository(ref.repository, () => work(entryOf(world, ref)));
  return {
    push: ({ repository, ...push }) => inRepository(repository, (known) => pushBranch(world, known, { by, ...push })),
    forcePush: ({ repository, ...push }) =>
      inRepository(repository, (known) => pushForced(world, known, { by, ...push })),
    rebase: (ref) => onPull(ref, (entry) => rebaseBranch(world, entry, by)),
    openPull: ({ repository, isDraft = false, ...opening }) =>
      inRepository(repository, async (known) => (await openPull(world, known, { by, isDraft, ...opening })).ref),
    editPull: (ref, edit) => onPull(ref, (entry) => editPull(world, entry, { by, edit })),
    merge: (ref) =>
      onPull(ref, async (entry) => void (await applyMerge(world, entry, { by, head: null, waits: "until_known" }))),
    comment: (ref, body) => onPull(ref, (entry) => addComment(world, entry, { by, body }).id),
    editComment: (ref, comment, body) =>
      onPull(ref, (entry) => changeCommentBody(world, entry, { by, comment, body, place: "anywhere" })),
    deleteComment: (ref, comment) => onPull(ref, (entry) => removeComment(world, entry, { by, comment })),
    review: (ref, made) => onPull(ref, (entry) => review(world, entry, { by, ...made })),
    dismissReview: (ref, id) => onPull(ref, (entry) => applyDismissal(world, entry, { by, review: id })),
    reply: (ref, thread, body) => onPull(ref, (entry) => addReply(world, entry, { by, thread, body }).id),
    resolveThread: (ref, thread) => onPull(ref, (entry) => resolveThread(world, entry, { by, thread })),
    react: (ref, content) => onPull(ref, (entry) => void addReaction(world, entry, { by, content })),
    unreact: (ref, content) => onPull(ref, (entry) => removeReaction(world, entry, { by, content })),
    report: ({ repository, ...report }) =>
      inRepository(repository, async (known) => {
        const form = world.manner === "github" && by.kind === "bot" ? "check_run" : "status";
        await reportStatus(world, known, { by, form, words: "", isGate: false, ...report });
      }),
  };
}

type ReviewMade = Parameters<SandboxPerson["review"]>[1] & { readonly by: Account };

/** The browser offers only lines that are shown, and the head that it shows. */
async function review(world: World, entry: PullEntry, { remarks = [], ...made }: ReviewMade) {
  const commit = newestOf(entry).head.sha;
  const anchored = await areAnchored(world, entry, { remarks, commit });
  if (anchored.includes(false)) throw new EndpointRefusal(422, "a remark lies outside of the diff");
  return (await applyReview(world, entry, { ...made, remarks, commit, breaksDown: false })).id;
}
