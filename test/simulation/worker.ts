import { finishReviews } from "#app/demo/finish-reviews.ts";
import { changeRuns, changeSession, takeEffect } from "#app/demo/take-effect.ts";
import { derive } from "#core/derive/derive.ts";
import type { Action } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { RawFinding } from "#core/model/finding.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { minuteMs } from "#core/model/instant.ts";
import type { ReviewRun } from "#core/model/records.ts";
import { plan } from "#core/plan/plan.ts";
import { actionWords } from "#core/words/action-words.ts";
import { checkAction } from "./oracle.ts";
import { note, sight, type World } from "./world.ts";

/** One step of the worker: look and plan, or carry out one action, or die with the rest of the plan undone. */
export function work(world: World): void {
  const { worker, chance } = world;
  if (worker === null) {
    look(world);
    return;
  }
  const [action, ...rest] = worker.todo;
  if (action === undefined || chance.isTrue(0.03)) {
    if (action !== undefined) {
      sight(world, "a worker died with work undone");
      note(world, "the worker dies");
    }
    world.worker = null;
    return;
  }
  carryOut(world, action);
  world.worker = { lookedAt: worker.lookedAt, todo: rest };
}

function look(world: World): readonly Action[] {
  const lookedAt = world.pull;
  const actions = world.sabotage(lookedAt, plan(lookedAt, derive(lookedAt)));
  const keys = actions.map((action) => action.key);
  if (new Set(keys).size !== keys.length) throw new Error(`two actions of one plan share a key: ${keys.join(", ")}`);
  const todo = actions.filter((action) => action.kind !== "look_again");
  world.worker = { lookedAt, todo };
  return todo;
}

function carryOut(world: World, action: Action): void {
  const { lookedAt } = world.worker ?? { lookedAt: world.pull };
  note(world, `drover: ${actionWords(action)}`);
  sight(world, action.kind);
  checkAction(world, lookedAt, action);
  if (action.kind === "classify") {
    classify(world, action.comment, action.revision);
    return;
  }
  world.pull = takeEffect(world.pull, action);
  if (world.pull.records.mergeQueued?.head === world.pull.pull.head.sha) sight(world, "queued");
}

/** The model of the simulation reads the same words that people read. */
function classify(world: World, comment: World["pull"]["comments"][number]["id"], revision: string): void {
  const { records } = world.pull;
  const body = world.pull.comments.find((one) => one.id === comment)?.body ?? "";
  const meaning = body.includes("why is this line here?") ? "question" : "nothing";
  if (digestOf(body) !== revision) return;
  const classifications = [...records.classifications, { comment, revision, meaning } as const];
  world.pull = { ...world.pull, records: { ...records, classifications } };
}

/** Long work goes on beside the ticks: reviews end, fail or are interrupted, sessions end. */
export function runJobs(world: World): void {
  const { chance } = world;
  for (const run of world.pull.records.runs) {
    if (run.state.kind !== "running" || !chance.isTrue(0.4)) continue;
    endRun(world, run);
  }
  for (const session of world.pull.records.sessions) {
    if (session.state.kind !== "running" || !chance.isTrue(0.3)) continue;
    const state = { kind: "stalled", why: "nothing to do" } as const;
    world.pull = changeSession(world.pull, session.id, (one) => ({ ...one, state }));
  }
}

function endRun(world: World, run: ReviewRun): void {
  const { chance } = world;
  if (chance.isTrue(0.2)) {
    sight(world, "a review was interrupted");
    note(world, `the ${run.role} review of ${run.head.slice(0, 4)} is interrupted`);
    world.pull = changeRuns(world.pull, run, (one) => ({ ...one, state: { kind: "interrupted" } }));
    return;
  }
  if (chance.isTrue(0.1)) {
    const retryAt = world.pull.observedAt;
    note(world, `the ${run.role} review of ${run.head.slice(0, 4)} fails`);
    world.pull = changeRuns(world.pull, run, (one) => ({
      ...one,
      state: { kind: "failed", attempts: 1, why: "the model did not answer", retryAt },
    }));
    sight(world, "a review failed");
    return;
  }
  finishRun(world, run);
}

/** A reviewer reads what the head really contains. */
function finishRun(world: World, run: ReviewRun): void {
  const others = world.pull.records.runs.filter((one) => one !== run);
  const alone = { ...world.pull, records: { ...world.pull.records, runs: [run] } };
  const finished = finishReviews(alone, findingsOf(world, run.head));
  world.pull = { ...finished, records: { ...finished.records, runs: [...others, ...finished.records.runs] } };
  note(world, `the ${run.role} review of ${run.head.slice(0, 4)} is done`);
}

function findingsOf(world: World, head: HeadSha): readonly Omit<RawFinding, "role">[] {
  return (world.truth.defects.get(head) ?? []).map((defect) => ({
    rule: defect.name,
    path: "src/parser.ts",
    side: "new",
    lines: { first: defect.score, last: defect.score },
    snippet: `code of ${defect.name}`,
    message: `There is a ${defect.name} here; ask @drover merge about it.`,
    assessment: "",
    score: defect.score,
    suggestion: null,
  }));
}

/** Everything that is under way comes to its end, without further mishaps, until two looks in a row find nothing. */
export function comeToRest(world: World): void {
  let idle = 0;
  for (let round = 0; round < 60 && idle < 2; round++) {
    const running = world.pull.records.runs.filter((run) => run.state.kind === "running");
    for (const run of running) finishRun(world, run);
    const before = world.pull;
    const todo = look(world);
    for (const action of todo) carryOut(world, action);
    if (todo.length > 0 && world.pull === before) throw new Error("liveness: the plan goes on and changes nothing");
    idle = todo.length === 0 && running.length === 0 ? idle + 1 : 0;
    world.pull = { ...world.pull, observedAt: nextMinute(world) };
    world.worker = null;
  }
  if (idle < 2) throw new Error("liveness: the plan does not come to rest");
}

function nextMinute(world: World): World["pull"]["observedAt"] {
  const { observedAt } = world.pull;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a later time is a time.
  return (observedAt + minuteMs) as typeof observedAt;
}
