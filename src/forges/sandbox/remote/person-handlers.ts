import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import { Check, Reaction } from "#core/model/conversation.ts";
import { CommentId, HeadSha, ReviewId, ThreadId } from "#core/model/ids.ts";
import { FaultAsked, type OrderedFaults } from "#forges/sandbox/remote/ordered-faults.ts";
import { BadRpcRequest, findRpcHandler, type RpcHandler, rpcHandler } from "#forges/sandbox/remote/rpc-handler.ts";
import { RemarkShape, VerdictShape } from "#forges/sandbox/remote/rpc-schema.ts";
import type { Sandbox, SandboxPerson } from "#forges/sandbox/sandbox.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export interface PersonCall {
  readonly account: Account;
  readonly deed: string;
  readonly asked: unknown;
  readonly faults?: Pick<OrderedFaults, "order"> | undefined;
}

/** Repositories by name and pulls by number, so that a line of `curl` is enough. */
export async function callPerson(sandbox: Sandbox, { account, deed, asked, faults }: PersonCall): Promise<unknown> {
  const serve = findRpcHandler(doors, deed);
  const program = sandbox.clientOf(account);
  const find: Somebody["find"] = async ({ repository }) => program.fetchRepository(repository);
  return serve({ sandbox, person: sandbox.as(account), find, faults }, asked);
}

interface Somebody {
  readonly sandbox: Sandbox;
  readonly person: SandboxPerson;
  readonly find: (place: { readonly repository: string }) => Promise<RepositoryRef>;
  readonly faults: PersonCall["faults"];
}

const InRepository = z.strictObject({ repository: z.string().min(1) });
const OnPull = InRepository.extend({ pull: z.number().int().positive() });
const Push = InRepository.extend({
  branch: z.string().min(1),
  files: z.record(z.string(), z.string().nullable()),
  message: z.string().min(1),
});
const Opening = InRepository.extend({
  branch: z.string().min(1),
  base: z.string().min(1).default("main"),
  title: z.string().min(1),
  body: z.string().default(""),
  isDraft: z.boolean().default(false),
});
const Edit = OnPull.extend({
  change: z.strictObject({
    title: z.string().min(1).exactOptional(),
    body: z.string().exactOptional(),
    isDraft: z.boolean().exactOptional(),
    state: z.enum(["open", "closed"]).exactOptional(),
    labels: z.array(z.string()).exactOptional(),
  }),
});
const Review = OnPull.extend({
  event: VerdictShape,
  body: z.string().default(""),
  remarks: z.array(RemarkShape).default(() => []),
});
const OnComment = OnPull.extend({ comment: CommentId });
const OnThread = OnPull.extend({ thread: ThreadId });
const Reacting = OnPull.extend({ content: Reaction.shape.content });
const Report = InRepository.extend({ commit: HeadSha, name: z.string().min(1), state: Check.shape.state });

const doors: Readonly<Record<string, RpcHandler<Somebody>>> = {
  push: rpcHandler(Push, async ({ person, find }, { files, branch, message, ...place }) =>
    person.push({ repository: await find(place), branch, changes: files, message }),
  ),
  openPull: rpcHandler(Opening, async ({ person, find }, asked) =>
    person.openPull({ ...asked, repository: await find(asked) }),
  ),
  editPull: rpcHandler(Edit, async ({ person, find }, asked) =>
    person.editPull(await pullOf(find, asked), asked.change),
  ),
  comment: rpcHandler(OnPull.extend({ body: z.string().min(1) }), async ({ person, find }, asked) =>
    person.comment(await pullOf(find, asked), asked.body),
  ),
  editComment: rpcHandler(OnComment.extend({ body: z.string().min(1) }), async ({ person, find }, asked) =>
    person.editComment(await pullOf(find, asked), asked.comment, asked.body),
  ),
  deleteComment: rpcHandler(OnComment, async ({ person, find }, asked) =>
    person.deleteComment(await pullOf(find, asked), asked.comment),
  ),
  reply: rpcHandler(OnThread.extend({ body: z.string().min(1) }), async ({ person, find }, asked) =>
    person.reply(await pullOf(find, asked), asked.thread, asked.body),
  ),
  resolveThread: rpcHandler(OnThread, async ({ person, find }, asked) =>
    person.resolveThread(await pullOf(find, asked), asked.thread),
  ),
  dismissReview: rpcHandler(OnPull.extend({ review: ReviewId }), async ({ person, find }, asked) =>
    person.dismissReview(await pullOf(find, asked), asked.review),
  ),
  forcePush: rpcHandler(
    InRepository.extend({ branch: z.string().min(1), to: HeadSha }),
    async ({ person, find }, asked) =>
      person.forcePush({ repository: await find(asked), branch: asked.branch, to: asked.to }),
  ),
  rebase: rpcHandler(OnPull, async ({ person, find }, asked) => person.rebase(await pullOf(find, asked))),
  review: rpcHandler(Review, async ({ person, find }, { event, body, remarks, ...place }) =>
    person.review(await pullOf(find, place), { event, body, remarks }),
  ),
  react: rpcHandler(Reacting, async ({ person, find }, asked) =>
    person.react(await pullOf(find, asked), asked.content),
  ),
  unreact: rpcHandler(Reacting, async ({ person, find }, asked) =>
    person.unreact(await pullOf(find, asked), asked.content),
  ),
  merge: rpcHandler(OnPull, async ({ person, find }, asked) => person.merge(await pullOf(find, asked))),
  report: rpcHandler(Report, async ({ person, find }, { commit, name, state, ...place }) =>
    person.report({ repository: await find(place), commit, name, state }),
  ),
  fault: rpcHandler(FaultAsked, async ({ faults }, asked) => {
    if (faults === undefined) throw new BadRpcRequest("faults cannot be ordered here");
    return faults.order(asked);
  }),
  look: rpcHandler(OnPull, async ({ sandbox, find }, asked) => sandbox.look(await pullOf(find, asked))),
};

async function pullOf(
  find: Somebody["find"],
  place: { readonly repository: string; readonly pull: number },
): Promise<PullRef> {
  return { repository: await find(place), number: place.pull };
}
