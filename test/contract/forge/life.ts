import * as fc from "fast-check";
import type { Check, Reaction, Review } from "#core/model/conversation.ts";
import type { CommentId, HeadSha, ReviewId } from "#core/model/ids.ts";
import { secondMs } from "#core/model/instant.ts";
import { pushMore, remarks, type Scene } from "./scene.ts";
import type { ForgePerson } from "./world.ts";

/** One thing that people do to a pull. `pick` chooses among what there is at that moment. */
export type Step =
  | { readonly kind: "comment" | "push" | "force_push" | "retitle" }
  | { readonly kind: "edit_comment" | "delete_comment" | "reply"; readonly pick: number }
  | { readonly kind: "review"; readonly event: "approve" | "request_changes" | "comment"; readonly hasRemark: boolean }
  | { readonly kind: "react"; readonly content: Reaction["content"] }
  | { readonly kind: "report"; readonly name: string; readonly state: Check["state"] }
  | { readonly kind: "wait"; readonly ms: number };

const pick = fc.nat({ max: 1_000 });

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("comment", "push", "force_push", "retitle") }),
  fc.record({ kind: fc.constantFrom("edit_comment", "delete_comment", "reply"), pick }),
  fc.record({
    kind: fc.constant("review"),
    event: fc.constantFrom("approve", "request_changes", "comment"),
    hasRemark: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("react"), content: fc.constantFrom("+1", "eyes", "heart") }),
  fc.record({
    kind: fc.constant("report"),
    name: fc.constantFrom("build", "lint"),
    state: fc.constantFrom("pending", "passed", "failed"),
  }),
  fc.record({ kind: fc.constant("wait"), ms: fc.integer({ min: 1, max: 40 * secondMs }) }),
);

/** What the suite itself remembers of a life, so that nobody's word has to be taken for it. */
export interface Remembered {
  readonly comments: Map<CommentId, string>;
  readonly reviews: Map<ReviewId, { readonly state: Review["state"]; readonly body: string }>;
  /** Remarks and replies in threads. */
  readonly said: Set<string>;
  readonly reactions: Set<Reaction["content"]>;
  /** By commit, then by name. */
  readonly checks: Map<HeadSha, Map<string, Check["state"]>>;
  /** The last one stands. */
  readonly heads: HeadSha[];
  readonly titles: string[];
  /** Every text that was ever to be read anywhere. */
  readonly texts: Set<string>;
}

export function remember({ head }: Scene): Remembered {
  return {
    comments: new Map(),
    reviews: new Map(),
    said: new Set(),
    reactions: new Set(),
    checks: new Map(),
    heads: [head],
    titles: ["Add a parser"],
    texts: new Set(),
  };
}

export function headOf({ heads }: Remembered): HeadSha {
  const head = heads.at(-1);
  if (head === undefined) throw new Error("a pull has a head");
  return head;
}

const states = { approve: "approved", request_changes: "changes_requested", comment: "commented" } as const;

/** Carries out one step, and remembers it. `index` makes every text another. */
export async function live(scene: Scene, past: Remembered, step: Step, index: number): Promise<void> {
  const { rita, pull, repository, world } = scene;
  const text = (what: string): string => {
    past.texts.add(`${what} ${index}.`);
    return `${what} ${index}.`;
  };
  switch (step.kind) {
    case "comment": {
      const body = text("Comment");
      past.comments.set(await rita.comment(pull, body), body);
      return;
    }
    case "push":
      past.heads.push(await pushMore(scene, `src/file-${index}.txt`, `${index}\n`));
      return;
    case "force_push": {
      if (headOf(past) === scene.head) return;
      await scene.ada.forcePush({ repository, branch: "parser", to: scene.head });
      past.heads.push(scene.head);
      return;
    }
    case "retitle": {
      past.titles.push(text("Title"));
      await scene.ada.editPull(pull, { title: `Title ${index}.` });
      return;
    }
    case "review": {
      const [body, remark] = [text("Review"), { ...remarks.range, body: text("Remark") }];
      const made = { event: step.event, body, remarks: step.hasRemark ? [remark] : [] };
      past.reviews.set(await rita.review(pull, made), { state: states[step.event], body });
      if (step.hasRemark) past.said.add(remark.body);
      return;
    }
    case "react":
      await toggle(rita, scene, past, step.content);
      return;
    case "report": {
      const { name, state } = step;
      const commit = headOf(past);
      past.checks.set(commit, new Map(past.checks.get(commit)).set(name, state));
      await rita.report({ repository, commit, name, state });
      return;
    }
    case "wait":
      await world.pass(step.ms);
      return;
    default:
      await touch(scene, past, step.kind, step.pick, text("Changed"));
  }
}

async function toggle(
  person: ForgePerson,
  { pull }: Scene,
  { reactions }: Remembered,
  content: Reaction["content"],
): Promise<void> {
  if (reactions.delete(content)) return person.unreact(pull, content);
  reactions.add(content);
  return person.react(pull, content);
}

/** What needs something to be there: without it, nothing happens. */
async function touch(
  { rita, pull, world }: Scene,
  past: Remembered,
  kind: "edit_comment" | "delete_comment" | "reply",
  nth: number,
  body: string,
): Promise<void> {
  const comment = [...past.comments.keys()].at(nth % Math.max(1, past.comments.size));
  if (kind === "reply") {
    const { threads } = await world.look(pull);
    const thread = threads.at(nth % Math.max(1, threads.length));
    if (thread === undefined) return;
    await rita.reply(pull, thread.id, body);
    past.said.add(body);
  } else if (comment !== undefined && kind === "edit_comment") {
    await rita.editComment(pull, comment, body);
    past.comments.set(comment, body);
  } else if (comment !== undefined) {
    await rita.deleteComment(pull, comment);
    past.comments.delete(comment);
  }
}
