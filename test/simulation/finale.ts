import { hourMs, minuteMs, secondMs } from "#core/model/instant.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { codePath, linesAt, readDefect } from "./content.ts";
import { tryTo } from "./deed.ts";
import { report } from "./deeds-signs.ts";
import { noteOrder } from "./deeds-words.ts";
import { isNearlySpent } from "./money.ts";
import { namesHead } from "./own-text.ts";
import type { Installation, World } from "./world.ts";

/** Everything that a merge needs, given in good weather to one head. If that head stays the head, it must land. */
export interface Finale {
  readonly pull: PullRef;
  readonly head: string;
}

/** In some lives people bring the first pull to its merge at the end; undefined where they cannot or do not want to. */
export async function finale(world: World, goOn: (ms: number) => Promise<void>): Promise<Finale | undefined> {
  const { chance, sandbox, cast } = world;
  const [pull] = world.pulls;
  const [installation] = world.installations;
  if (!chance.isTrue(0.2) || pull === undefined || installation === undefined) return undefined;
  if (installation.rules.merge.when === "never" || world.off.has("maintainer")) return undefined;
  if (sandbox.look(pull).pull.state === "merged") return undefined;
  await makeReady(world, pull);
  await goOn(minuteMs + 10 * secondMs);
  await order(world, installation, pull, "enable-reviews");
  await order(world, installation, pull, "unhold");
  await order(world, installation, pull, "stop-fixing");
  await goOn(6 * minuteMs);
  await waitForGate(world, { installation, pull }, goOn);
  const { pull: seen } = sandbox.look(pull);
  if (seen.state !== "open") return undefined;
  const head = seen.head.sha;
  await report(world, head, "passed");
  for (const person of [cast.rita, cast.mia]) await approve(world, pull, person);
  await goOn(10 * secondMs);
  if (installation.rules.merge.when === "on_command") await order(world, installation, pull, "merge");
  return { pull, head };
}

/** An entry of the queue from which one worker after the other did not come back waits for long. */
const gateMsMax = 2 * hourMs;

/**
 * An approval counts for the head that Drover knew to stand when it was given. So people wait until they see that it knows
 * this one: until then it has not had everything.
 */
async function waitForGate(
  world: World,
  { installation, pull }: { readonly installation: Installation; readonly pull: PullRef },
  goOn: (ms: number) => Promise<void>,
): Promise<void> {
  const { sandbox, scheduler } = world;
  const until = scheduler.now() + gateMsMax;
  const isKnown = (): boolean => {
    const { pull: seen, gates, comments } = sandbox.look(pull);
    const { sha } = seen.head;
    if (seen.state !== "open") return true;
    // A run of a CI leaves what it knows in its notes alone: it may die after the gate and before them.
    return installation.isOneShot
      ? comments.some(({ author, body }) => author.id === installation.bot.id && namesHead(body, sha))
      : gates.some(({ by, head }) => by.id === installation.bot.id && head === sha);
  };
  // After a problem no time passes any more.
  while (world.problem === null && !isKnown() && scheduler.now() < until) await goOn(minuteMs);
  await goOn(10 * secondMs);
}

/** Open, no draft, without defects, and a head that nobody has said anything about. */
async function makeReady(world: World, pull: PullRef): Promise<void> {
  const { sandbox, cast, repository, hub } = world;
  const { pull: seen } = sandbox.look(pull);
  await tryTo(world, "ada makes the pull ready to land", async () => {
    const ada = sandbox.as(cast.ada);
    if (seen.state === "closed") await ada.editPull(pull, { state: "open" });
    if (seen.isDraft) await ada.editPull(pull, { isDraft: false });
    const kept = linesAt(hub, seen.head.sha).filter((line) => readDefect(line) === undefined);
    const changes = { [codePath]: `${[...kept, `export const final${world.minds.nextName++} = 1;`].join("\n")}\n` };
    await ada.push({ repository, branch: seen.head.branch, changes, message: "ready to land" });
  });
}

async function approve(world: World, pull: PullRef, person: World["cast"]["mia"]): Promise<void> {
  const hands = world.sandbox.as(person);
  await tryTo(world, `${person.login} approves with hand and thumb`, async () => {
    const { reactions } = world.sandbox.look(pull);
    const has = reactions.some(({ author, content }) => author.id === person.id && content === "+1");
    if (has) await hands.unreact(pull, "+1");
    await hands.review(pull, { event: "approve", body: "" });
    await hands.react(pull, "+1");
  });
}

async function order(world: World, installation: Installation, pull: PullRef, word: string): Promise<void> {
  const { sandbox, cast } = world;
  if (sandbox.look(pull).pull.state !== "open") return;
  await tryTo(world, `mia says ${installation.handle} ${word}`, async () => {
    const comment = await sandbox.as(cast.mia).comment(pull, `${installation.handle} ${word}`);
    const said = { installation, by: cast.mia, word, forMs: null, isWellFormed: true, comment, pull: pull.number };
    noteOrder(world, said);
  });
}

/** Null where it landed, or where something came between. */
export function finaleProblem(world: World, { pull, head }: Finale): string | null {
  const { pull: seen } = world.sandbox.look(pull);
  if (seen.state !== "open") {
    world.figures.sight("brought to its merge");
    return null;
  }
  // Another pull may have landed in the same lines, and another Drover's gate is a check that may be waiting.
  if (seen.mergeability.kind === "conflicting" || world.installations.length > 1) return null;
  // Of what may not be paid for any more some is never read.
  if (world.installations.some((installation) => isNearlySpent(world, installation, pull.number))) return null;
  return seen.head.sha === head ? `liveness: ${head.slice(0, 7)} had everything and was not merged` : null;
}
