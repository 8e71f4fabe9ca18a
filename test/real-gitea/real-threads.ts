import * as z from "zod";
import { Thread } from "#core/model/conversation.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { GiteaApi } from "./gitea-api.ts";
import { readComment, ToldComment } from "./real-comment.ts";
import { pathOf, type RemarkPlace } from "./real-person.ts";

const ToldRemark = ToldComment.extend({
  resolver: z.object({ id: z.number() }).nullable(),
  path: z.string(),
  position: z.number(),
  original_position: z.number(),
});
type ToldRemark = z.infer<typeof ToldRemark> & { readonly review: number; readonly isPending: boolean };

export interface RealThread {
  readonly thread: Thread;
  /** Where each of its remarks stands, by the number of the remark. */
  readonly places: ReadonlyMap<string, RemarkPlace>;
  /** It begins in a review that was not submitted. */
  readonly isPending: boolean;
}

/** As the page of the pull groups them: one thread for each line of each file that a review remarks on. */
export async function readThreads(
  admin: GiteaApi,
  pull: PullRef,
  reviews: readonly { readonly id: number; readonly state: string; readonly comments_count: number }[],
): Promise<readonly RealThread[]> {
  const groups = new Map<string, ToldRemark[]>();
  for (const { id, state } of reviews) {
    const told = z.array(ToldRemark).parse(await admin.get(`${pathOf(pull)}/reviews/${id}/comments`));
    for (const remark of told) {
      const isPending = state === "PENDING";
      const key = [id, remark.path, remark.position, remark.original_position].join("\n");
      groups.set(key, [...(groups.get(key) ?? []), { ...remark, isPending, review: id }]);
    }
  }
  return [...groups.values()].map((group) => readThread(group.toSorted((one, other) => one.id - other.id)));
}

function readThread(remarks: readonly ToldRemark[]): RealThread {
  const [root] = remarks;
  if (root === undefined) throw new Error("a thread begins with a remark");
  const side = root.position > 0 ? "new" : "old";
  const line = side === "new" ? root.position : root.original_position;
  return {
    isPending: root.isPending,
    places: new Map(
      remarks.map(({ id }) => [String(id), { comment: id, review: root.review, path: root.path, line, side }]),
    ),
    thread: Thread.parse({
      id: String(root.id),
      path: root.path,
      line,
      isResolved: root.resolver !== null,
      comments: remarks.map(readComment),
    }),
  };
}
