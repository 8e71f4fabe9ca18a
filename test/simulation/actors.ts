import {
  changePull,
  deleteComment,
  editComment,
  judge,
  passTime,
  push,
  react,
  report,
  say,
  takeReaction,
} from "#app/demo/paper-pull.ts";
import type { Account } from "#core/model/account.ts";
import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import { ada, mia, otherBot, otto, rita, sha } from "#testing/makers.ts";
import type { GivenOrder } from "./truth.ts";
import { addHead, note, sight, type World } from "./world.ts";

/** People (and a bot) who do what they like with the pull. Each notes in the truth what it really did. */
type Deed = (world: World) => void;

const deeds: readonly (readonly [weight: number, deed: Deed])[] = [
  [10, letTimePass],
  [6, pushCommit],
  [2, pushOldCommitAgain],
  [4, rebaseSamePatch],
  [2, retarget],
  [2, toggleDraft],
  [8, giveOrder],
  [2, deleteOrder],
  [1, editOrder],
  [3, askQuestion],
  [1, rewordQuestion],
  [5, thumb],
  [2, takeThumbBack],
  [3, review],
  [6, reportChecks],
  [1, loseMergeability],
  [1, changeRoles],
];

/** Some pulls have an easier life, and get to their merge. */
const calmDeeds: typeof deeds = [
  [10, letTimePass],
  [2, pushCommit],
  [4, rebaseSamePatch],
  [3, giveOrder],
  [6, thumb],
  [2, review],
  [8, reportChecks],
];

export function doSomething(world: World): void {
  const possible = world.isCalm ? calmDeeds : deeds;
  let left = world.chance.below(possible.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, deed] of possible) {
    if (left < weight) {
      deed(world);
      return;
    }
    left -= weight;
  }
}

function letTimePass(world: World): void {
  const ms = world.chance.pick([secondMs, 30 * secondMs, 5 * minuteMs, hourMs, 3 * hourMs]);
  world.pull = passTime(world.pull, ms);
}

/** Forges count whole seconds, so that things often happen at the same one. */
function maybeTick(world: World): void {
  if (world.chance.isTrue(0.7)) world.pull = passTime(world.pull, secondMs);
}

function pushCommit(world: World): void {
  const head = sha(world.nextSha++);
  addHead(world, head);
  maybeTick(world);
  const patch = world.chance.isTrue(0.7) ? (world.truth.patches.get(head) ?? null) : null;
  world.pull = push(world.pull, head, { isTimeTold: world.chance.isTrue(0.5), patch });
  note(world, `ada pushes ${head.slice(0, 4)} with ${world.truth.defects.get(head)?.length ?? 0} defects`);
}

/** A force-push back to a commit that was the head before. */
function pushOldCommitAgain(world: World): void {
  const old = world.chance.pick([...world.truth.defects.keys()]);
  if (old === world.pull.pull.head.sha) return;
  maybeTick(world);
  const patch = world.truth.patches.get(old) ?? null;
  world.pull = push(world.pull, old, { isTimeTold: world.chance.isTrue(0.5), patch });
  sight(world, "force-pushed back");
  note(world, `ada force-pushes back to ${old.slice(0, 4)}`);
}

/** The same change on a newer base: same patch, same defects, another commit. */
function rebaseSamePatch(world: World): void {
  const old = world.pull.pull.head.sha;
  const head = sha(world.nextSha++);
  const patch = world.truth.patches.get(old);
  if (patch === undefined) return;
  world.truth.patches.set(head, patch);
  world.truth.defects.set(head, world.truth.defects.get(old) ?? []);
  maybeTick(world);
  world.pull = push(world.pull, head, { patch });
  note(world, `ada rebases ${old.slice(0, 4)} to ${head.slice(0, 4)}`);
}

function retarget(world: World): void {
  const branch = world.pull.pull.base.branch === "main" ? "next" : "main";
  maybeTick(world);
  world.pull = changePull(world.pull, {
    base: { branch, since: world.chance.isTrue(0.5) ? world.pull.observedAt : null },
  });
  note(world, `ada retargets to ${branch}`);
}

function toggleDraft(world: World): void {
  world.pull = changePull(world.pull, { isDraft: !world.pull.pull.isDraft });
  note(world, world.pull.pull.isDraft ? "ada makes it a draft" : "ada says it is ready");
}

const authorWords = [
  "review",
  "cancel",
  "disable-reviews",
  "disable-reviews for 2h",
  "enable-reviews",
  "status",
  "help",
];
const writerWords = ["merge", "hold", "unhold", "fix", "stop-fixing"];

function giveOrder(world: World): void {
  const { chance } = world;
  const by = chance.pick([ada, ada, rita, mia, otto, otherBot]);
  const words = chance.pick([...authorWords, ...authorWords, ...writerWords]);
  const [word = ""] = words.split(" ");
  const isWriter = by === rita || by === mia;
  const mayCommand = isWriter || (by === ada && authorWords.includes(words));
  maybeTick(world);
  world.pull = say(world.pull, by, `${chance.pick(["", "Hello.\n\n"])}@Drover ${words}`);
  const comment = world.pull.comments.at(-1);
  if (comment === undefined) return;
  const { pull, observedAt } = world.pull;
  const order: GivenOrder = {
    comment: comment.id,
    word,
    mayCommand,
    head: pull.head.sha,
    base: pull.base.branch,
    at: observedAt,
    forMs: words.endsWith("2h") ? 2 * hourMs : null,
    isDeleted: false,
  };
  world.truth.orders.push(order);
  note(world, `${by.login} says ${words} (comment ${comment.id})`);
}

function deleteOrder(world: World): void {
  const order = world.truth.orders.at(-1);
  if (order === undefined || order.isDeleted) return;
  order.isDeleted = true;
  world.pull = deleteComment(world.pull, order.comment);
  sight(world, "a command was deleted");
  note(world, `comment ${order.comment} is deleted`);
}

/** The words stay, a greeting is added: nothing new was ordered. */
function editOrder(world: World): void {
  const order = world.truth.orders.at(-1);
  const comment = world.pull.comments.find((one) => one.id === order?.comment);
  if (order === undefined || comment === undefined) return;
  if (!world.truth.acknowledged.has(order.comment)) return;
  world.pull = editComment(world.pull, comment.id, `${comment.body}\n\nThank you.`);
  sight(world, "a consumed command was edited");
  note(world, `comment ${comment.id} is edited`);
}

function askQuestion(world: World): void {
  const by: Account = world.chance.pick([ada, rita, otto, otherBot]);
  maybeTick(world);
  world.pull = say(world.pull, by, `@drover why is this line here? (wording 1)`);
  const comment = world.pull.comments.at(-1);
  if (comment === undefined) return;
  world.truth.questions.set(comment.id, { mayAsk: by === ada || by === rita, wording: 1, isDeleted: false });
  note(world, `${by.login} asks (comment ${comment.id})`);
}

function rewordQuestion(world: World): void {
  const [id, question] = world.chance.pick([...world.truth.questions.entries(), [null, null] as const]);
  if (id === null) return;
  question.wording++;
  maybeTick(world);
  world.pull = editComment(world.pull, id, `@drover why is this line here? (wording ${question.wording})`);
  note(world, `question ${id} is reworded`);
}

function thumb(world: World): void {
  const by = world.chance.pick([rita, rita, mia, ada, otto, otherBot]);
  const isThere = world.pull.reactions.some((one) => one.author.id === by.id && one.content === "+1");
  if (isThere) return;
  maybeTick(world);
  world.pull = react(world.pull, by, "+1");
  approve(world, by, "thumb");
}

function review(world: World): void {
  const by = world.chance.pick([rita, mia, otto]);
  const state = world.chance.pick(["approved", "approved", "changes_requested", "commented"] as const);
  maybeTick(world);
  world.pull = judge(world.pull, by, state, state === "commented" ? "Hm." : "");
  if (state === "approved") approve(world, by, "review");
  if (state !== "changes_requested") return;
  takeBack(world, by);
  note(world, `${by.login} requests changes`);
}

function approve(world: World, by: Account, way: "thumb" | "review"): void {
  const { pull, observedAt } = world.pull;
  const mayApprove = by === rita || by === mia;
  const given = { by: by.id, mayApprove, head: pull.head.sha, base: pull.base.branch, at: observedAt, way };
  world.truth.approvals.push({ ...given, takenBackAt: null });
  note(world, `${by.login} approves ${pull.head.sha.slice(0, 4)} by ${way}`);
}

function takeThumbBack(world: World): void {
  const thumbs = world.pull.reactions.filter((one) => one.content === "+1");
  if (thumbs.length === 0) return;
  const { author } = world.chance.pick(thumbs);
  world.pull = takeReaction(world.pull, author, "+1");
  takeBack(world, author, "thumb");
  note(world, `${author.login} takes the thumb away`);
}

function takeBack(world: World, by: Account, way?: "thumb"): void {
  for (const given of world.truth.approvals) {
    if (given.by !== by.id || given.takenBackAt !== null) continue;
    if (way === undefined || given.way === way) given.takenBackAt = world.pull.observedAt;
  }
}

function reportChecks(world: World): void {
  const state = world.chance.pick(["passed", "passed", "passed", "failed", "pending"] as const);
  world.pull = report(world.pull, state);
  const { sha: head } = world.pull.pull.head;
  if (state === "passed") world.truth.green.add(head);
  else world.truth.green.delete(head);
  note(world, `checks of ${head.slice(0, 4)}: ${state}`);
}

/** The operator adds a role to the base branch's configuration, or removes it. */
function changeRoles(world: World): void {
  const { rules } = world.pull;
  const names =
    rules.reviews.roles.length === 1 ? ["general", "security"] : [world.chance.pick(["general", "security"])];
  const roles = names.map((name) => ({ name, reviewer: "rules" as const }));
  world.pull = { ...world.pull, rules: { ...rules, reviews: { ...rules.reviews, roles } } };
  sight(world, "the roles were changed");
  note(world, `the roles are now ${names.join(" and ")}`);
}

function loseMergeability(world: World): void {
  const kind = world.chance.pick(["unknown", "conflicting", "mergeable", "mergeable"] as const);
  world.pull = changePull(world.pull, { mergeability: { kind } });
}
