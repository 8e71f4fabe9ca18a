import type { PaperPull } from "#app/demo/paper-pull.ts";
import type { Action } from "#core/model/action.ts";
import type { HeadSha } from "#core/model/ids.ts";
import type { GivenApproval, GivenOrder } from "./truth.ts";
import { sight, type World } from "./world.ts";

/**
 * Safety, judged from the forge's side: what was really pushed, said and given. It reads the pull and the truth, and calls
 * nothing of the code that decides.
 */
export function checkAction(world: World, lookedAt: PaperPull, action: Action): void {
  switch (action.kind) {
    case "merge":
    case "enqueue_merge":
      checkMerge(world, lookedAt, action.head);
      break;
    case "set_gate":
      if (action.state === "success") mustBeClean(world, lookedAt, action.head, "the gate is green");
      if (action.state === "neutral") mustBeWaived(world, lookedAt);
      break;
    case "publish_review":
      if ("event" in action.update && action.update.event === "approve") {
        mustBeClean(world, lookedAt, action.head, "the bot approves");
      }
      checkWords(action.text);
      break;
    case "acknowledge":
      checkAcknowledgement(world, action.record.comment, action.record.outcome, action.text);
      break;
    case "answer":
      world.truth.answers.set(action.comment, (world.truth.answers.get(action.comment) ?? 0) + 1);
      if (world.truth.questions.get(action.comment)?.mayAsk !== true) fail(`answers a stranger: ${action.comment}`);
      break;
    case "start_review":
      if (action.trigger.kind === "automatic") mustBeAutomatic(world, lookedAt);
      break;
    case "update_managed_comment":
    case "escalate":
    case "close_finding":
    case "dismiss_manual_review":
      checkWords(action.text);
      break;
    default:
  }
}

function fail(words: string): never {
  throw new Error(`safety: ${words}`);
}

/** What nobody approved is not merged, nor what is held, red, a draft or not asked for. */
function checkMerge(world: World, lookedAt: PaperPull, head: HeadSha): void {
  const { truth } = world;
  const approval = truth.approvals.find((given) => isValid(world, lookedAt, given, head));
  if (approval === undefined) fail(`merges ${head.slice(0, 4)}, which nobody approved`);
  if (approval.head !== head) sight(world, "merged after a rebase with the same patch");
  mustBeCleanOrWaived(world, lookedAt, head);
  const check = lookedAt.checks.filter((one) => one.head === head);
  if (check.length === 0 || check.some((one) => one.state !== "passed")) fail("merges without green checks");
  if (lookedAt.pull.isDraft) fail("merges a draft");
  if (lookedAt.pull.mergeability.kind !== "mergeable") fail("merges what cannot be merged");
  const orders = standingOrders(world, lookedAt);
  if (orders.findLast((order) => order.word === "hold" || order.word === "unhold")?.word === "hold")
    fail("merges what is held");
  const { when } = lookedAt.rules.merge;
  if (when === "never") fail("merges although merging is off");
  const isAsked = orders.some(
    (order) => order.word === "merge" && order.head === head && order.base === lookedAt.pull.base.branch,
  );
  if (when === "on_command" && !isAsked) fail("merges without having been asked to merge this head");
  truth.merges.push({ head });
  if (truth.approvals.some((given) => given.head !== head && given.takenBackAt === null)) {
    sight(world, "merged beside a stale approval");
  }
}

function isValid(world: World, lookedAt: PaperPull, given: GivenApproval, head: HeadSha): boolean {
  if (!given.mayApprove || given.base !== lookedAt.pull.base.branch) return false;
  if (given.takenBackAt !== null && given.takenBackAt <= lookedAt.observedAt) return isTakenLater(lookedAt, given);
  const { protocols } = lookedAt.rules.approval;
  if (protocols === "emoji" && given.way !== "thumb") return false;
  if (protocols === "reviews" && given.way !== "review") return false;
  const patches = world.truth.patches;
  return given.head === head || (patches.has(head) && patches.get(given.head) === patches.get(head));
}

/** Taken away in the very second of the look: the pull that was looked at still had it. */
function isTakenLater(lookedAt: PaperPull, given: GivenApproval): boolean {
  if (given.takenBackAt !== lookedAt.observedAt || given.way !== "thumb") return false;
  return lookedAt.reactions.some((one) => one.author.id === given.by && one.createdAt === given.at);
}

function blockingDefects(world: World, lookedAt: PaperPull, head: HeadSha): number {
  const { blockingScore } = lookedAt.rules.reviews;
  return (world.truth.defects.get(head) ?? []).filter((defect) => defect.score >= blockingScore).length;
}

/** Green and approving are only for what was read to the end and holds nothing that blocks. */
function mustBeClean(world: World, lookedAt: PaperPull, head: HeadSha, what: string): void {
  if (blockingDefects(world, lookedAt, head) > 0) fail(`${what} although ${head.slice(0, 4)} has a blocking defect`);
  for (const { name } of lookedAt.rules.reviews.roles) {
    const isRead = lookedAt.records.runs.some(
      (run) =>
        run.role === name &&
        run.head === head &&
        run.baseBranch === lookedAt.pull.base.branch &&
        run.state.kind === "completed",
    );
    if (!isRead) fail(`${what} although ${name} has not read ${head.slice(0, 4)}`);
  }
}

/** Where a maintainer switched reviews off, not every role has read the head; but what was found still counts. */
function mustBeCleanOrWaived(world: World, lookedAt: PaperPull, head: HeadSha): void {
  const hasRead = (role: string): boolean =>
    lookedAt.records.runs.some((run) => run.role === role && run.head === head && run.state.kind === "completed");
  const roles = lookedAt.rules.reviews.roles.map(({ name }) => name);
  if (roles.every(hasRead)) mustBeClean(world, lookedAt, head, "merges");
  else mustBeWaived(world, lookedAt);
  const isFound = roles.some(hasRead) && blockingDefects(world, lookedAt, head) > 0;
  if (isFound) fail(`merges ${head.slice(0, 4)} although a blocking defect was found`);
}

/** Suppression replayed from what was really said. */
function suppression(
  world: World,
  lookedAt: PaperPull,
): { readonly isOn: boolean; readonly by: "writer" | "author" | "repository" } {
  const last = standingOrders(world, lookedAt).findLast((order) => order.word.endsWith("able-reviews"));
  const isOptIn = lookedAt.rules.reviews.automatic === "disabled";
  if (last === undefined) return { isOn: isOptIn, by: "repository" };
  if (last.word === "enable-reviews") return { isOn: false, by: "author" };
  const isOver = last.forMs !== null && lookedAt.observedAt >= last.at + last.forMs;
  if (isOver) return { isOn: isOptIn, by: "repository" };
  const comment = lookedAt.comments.find((one) => one.id === last.comment);
  return { isOn: true, by: comment?.author.login === "ada" ? "author" : "writer" };
}

/** Permitted commands whose comments are still there, in the order in which they were given. */
function standingOrders(world: World, lookedAt: PaperPull): readonly GivenOrder[] {
  const present = new Set(lookedAt.comments.map((comment) => comment.id));
  return world.truth.orders.filter((order) => order.mayCommand && present.has(order.comment));
}

function mustBeWaived(world: World, lookedAt: PaperPull): void {
  const { isOn, by } = suppression(world, lookedAt);
  if (!isOn || by === "author") fail("the gate is neutral although no maintainer switched reviews off");
  sight(world, "neutral gate");
}

function mustBeAutomatic(world: World, lookedAt: PaperPull): void {
  if (lookedAt.pull.isDraft) fail("reviews a draft by itself");
  if (suppression(world, lookedAt).isOn) fail("reviews by itself although reviews are off");
}

function checkAcknowledgement(
  world: World,
  comment: GivenOrder["comment"],
  outcome: string,
  text: string | null,
): void {
  const order = world.truth.orders.find((one) => one.comment === comment);
  if (order === undefined) fail(`obeys what nobody ordered: ${comment}`);
  const isKnown = world.pull.records.commands.some((record) => record.comment === comment);
  if (!isKnown) world.truth.acknowledged.set(comment, (world.truth.acknowledged.get(comment) ?? 0) + 1);
  if ((world.truth.acknowledged.get(comment) ?? 0) > 1) fail(`answers command ${comment} twice`);
  if (outcome === "obeyed" && !order.mayCommand) fail(`obeys ${order.word} of somebody who may not`);
  sight(world, `command ${outcome}`);
  if (text !== null) checkWords(text);
}

/** The handle stands in no text of the bot's except in code, where it is only shown. */
function checkWords(text: string): void {
  const shown = text.replaceAll(/`[^`\n]*`/g, "");
  if (/@drover\b/i.test(shown)) fail(`the bot summons itself: ${text}`);
}

/** When everybody has gone home: nothing that was asked is left undone. */
export function checkRest(world: World): void {
  const { truth, pull } = world;
  const present = new Set(pull.comments.map((comment) => comment.id));
  if (pull.pull.state !== "open") return;
  for (const order of truth.orders) {
    if (!present.has(order.comment)) continue;
    const author = pull.comments.find((comment) => comment.id === order.comment)?.author;
    const answers = truth.acknowledged.get(order.comment) ?? 0;
    if (author?.kind === "person" && answers !== 1) lost(`command ${order.comment} was answered ${answers} times`);
  }
  for (const [id, question] of truth.questions) {
    if (!question.mayAsk || !present.has(id)) continue;
    if (!truth.answers.has(id)) lost(`question ${id} was never answered`);
    const bots = pull.records.questions.filter((record) => record.comment === id);
    if (bots.length !== 1) lost(`question ${id} has ${bots.length} answers`);
  }
  checkRestOfHead(world);
}

function lost(words: string): never {
  throw new Error(`liveness: ${words}`);
}

function checkRestOfHead(world: World): void {
  const { pull } = world;
  const { sha: head } = pull.pull.head;
  if (pull.gate?.head !== head) lost("the head has no gate");
  const isCancelled = standingOrders(world, pull).some((order) => order.word === "cancel");
  const isWanted = !pull.pull.isDraft && !suppression(world, pull).isOn && !isCancelled;
  for (const { name } of pull.rules.reviews.roles) {
    const runs = pull.records.runs.filter(
      (run) => run.role === name && run.head === head && run.baseBranch === pull.pull.base.branch,
    );
    if (isWanted && !runs.some((run) => run.state.kind === "completed")) lost(`${name} never read the last head`);
  }
  const blocking = blockingDefects(world, pull, head);
  if (isWanted && blocking > 0 && pull.gate.state !== "failure")
    lost(`the gate of a defective head is ${pull.gate.state}`);
  if (pull.records.runs.some((run) => run.state.kind === "running")) lost("a review goes on that nobody waits for");
}
