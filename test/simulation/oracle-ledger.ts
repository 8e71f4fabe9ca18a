import { formatInstant, secondMs } from "#core/model/instant.ts";
import { type PullRef, pullKeyOf } from "#ports/pull-ref.ts";
import { type QueueName, queueNames } from "#ports/queue.ts";
import { readOwnText } from "./own-text.ts";
import { botTexts } from "./own-texts.ts";
import type { Installation, World } from "./world.ts";

/** An idle worker takes what is due up to two seconds late, and polls fall due as long as a pull is open. */
const lateMsMax = 5 * secondMs;

/** The books are closed: nothing is on its way, nothing waits, and everything that is there is in them. */
export async function ledgerProblem(world: World, installation: Installation, ref: PullRef): Promise<string | null> {
  const key = pullKeyOf(installation.instance, ref);
  const ledger = await installation.store.listObligations(key);
  const open = ledger.find(({ state }) => state.kind === "sending" || state.kind === "unknown");
  if (open !== undefined) return `${open.effect} is still ${open.state.kind}`;
  const unnoted = ledger.find(({ state }) => state.kind === "done" && !state.isNoted);
  if (unnoted !== undefined) return `${unnoted.effect} was done and never noted`;
  const job = await installation.queue.nextDue(jobQueues(installation));
  if (job !== undefined) return `a job is still in the queue, due at ${formatInstant(job)}`;
  const due = await installation.queue.nextDue(queueNames);
  if (due !== undefined && due + lateMsMax <= world.scheduler.now()) {
    return "something is due in the queue and nobody takes it";
  }
  // A lost database took its ledger with it.
  if (installation.lostAt !== null) return null;
  const made = new Set(ledger.flatMap(({ state }) => (state.kind === "done" ? [state.result] : [])));
  // Of two that a sleeper made, people may have deleted the one that was written down: the other one lives on for it.
  const marks = marksOf(world, made);
  const unexplained = botTexts(world, installation, ref).find(
    ({ kind, id, own }) =>
      kind !== "thread_comment" &&
      !own.isBlanked &&
      !made.has(id.split(" ")[1] ?? "") &&
      !(own.mark !== null && marks.has(own.mark)),
  );
  if (unexplained !== undefined) return `${unexplained.id} is in no ledger`;
  return null;
}

/** Where nothing is left at the end. A session that waits for money is tried again and again. */
export function jobQueues({ budgets }: Installation): readonly QueueName[] {
  return budgets === null ? ["talk", "review", "session", "landing"] : ["talk", "review", "landing"];
}

/** How the texts were marked that have these ids, whether they are still there or not. */
function marksOf(world: World, ids: ReadonlySet<string | null>): ReadonlySet<string> {
  const marks = world.sandbox.history.flatMap(({ what }) => {
    if (what.kind === "commented") return ids.has(what.comment) ? [readOwnText(what.body).mark] : [];
    return what.kind === "reviewed" && ids.has(what.review) ? [readOwnText(what.body).mark] : [];
  });
  return new Set(marks.filter((mark) => mark !== null));
}
