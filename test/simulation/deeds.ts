import { minuteMs, secondMs } from "#core/model/instant.ts";
import type { Deed } from "./deed.ts";
import {
  changeLabels,
  closeOrReopen,
  editDescription,
  fixDefects,
  moveBase,
  pushCommit,
  pushOldHead,
  rebase,
  retarget,
  toggleDraft,
} from "./deeds-code.ts";
import { copyBotText, deleteBotComment } from "./deeds-forgery.ts";
import { changeRoles, loseStore } from "./deeds-operator.ts";
import { dismissReview, eyes, report, reportChecks, review, thumb } from "./deeds-signs.ts";
import { replyInThread, resolveThread } from "./deeds-threads.ts";
import {
  askQuestion,
  chat,
  deleteComment,
  editComment,
  giveForbiddenOrder,
  giveOrder,
  sayInert,
  saySentence,
} from "./deeds-words.ts";
import type { World } from "./world.ts";

/** Who can be switched off to find out whom a failure needs. */
export const actors = [
  "author",
  "reviewer",
  "maintainer",
  "outsider",
  "ci",
  "operator",
  "echo",
  "shepherd",
  "almost",
  "scene",
] as const;

interface Casting {
  readonly weight: number;
  readonly actor: (typeof actors)[number];
  readonly deed: Deed;
}

const castings: readonly Casting[] = [
  { weight: 8, actor: "author", deed: pushCommit },
  { weight: 8, actor: "author", deed: fixDefects },
  { weight: 3, actor: "author", deed: pushOldHead },
  { weight: 5, actor: "author", deed: rebase },
  { weight: 2, actor: "author", deed: retarget },
  { weight: 3, actor: "author", deed: toggleDraft },
  { weight: 2, actor: "author", deed: closeOrReopen },
  { weight: 2, actor: "author", deed: editDescription },
  { weight: 14, actor: "maintainer", deed: giveOrder },
  { weight: 3, actor: "outsider", deed: giveForbiddenOrder },
  { weight: 2, actor: "maintainer", deed: sayInert },
  { weight: 2, actor: "maintainer", deed: saySentence },
  { weight: 3, actor: "reviewer", deed: chat },
  { weight: 5, actor: "reviewer", deed: askQuestion },
  { weight: 4, actor: "reviewer", deed: editComment },
  { weight: 3, actor: "maintainer", deed: deleteComment },
  { weight: 7, actor: "reviewer", deed: replyInThread },
  { weight: 1, actor: "reviewer", deed: resolveThread },
  { weight: 10, actor: "reviewer", deed: thumb },
  { weight: 2, actor: "reviewer", deed: eyes },
  { weight: 8, actor: "reviewer", deed: review },
  { weight: 2, actor: "maintainer", deed: dismissReview },
  { weight: 6, actor: "ci", deed: reportChecks },
  { weight: 2, actor: "maintainer", deed: moveBase },
  { weight: 1, actor: "maintainer", deed: changeLabels },
  { weight: 3, actor: "outsider", deed: copyBotText },
  { weight: 2, actor: "maintainer", deed: deleteBotComment },
  { weight: 2, actor: "operator", deed: changeRoles },
  { weight: 2, actor: "operator", deed: loseStore },
];

const weightSum = castings.reduce((sum, { weight }) => sum + weight, 0);

export async function doSomething(world: World): Promise<void> {
  let left = world.chance.below(weightSum);
  for (const { weight, actor, deed } of castings) {
    if (left < weight) {
      if (!world.off.has(actor)) await deed(world);
      return;
    }
    left -= weight;
  }
}

/** Often at once, so that things happen within one second; sometimes after everybody had time for everything. */
export function drawGapMs({ chance }: World): number {
  const most = chance.pick([secondMs, 2 * secondMs, 10 * secondMs, minuteMs, 4 * minuteMs, 15 * minuteMs]);
  return chance.below(most);
}

/** The CI sees each new head by itself, and takes its time. */
export function startChecks(world: World, head: Parameters<typeof report>[1]): void {
  if (world.off.has("ci")) return;
  const { scheduler, chance } = world;
  const state = chance.isTrue(0.8) ? "passed" : "failed";
  const isSlow = chance.isTrue(0.3);
  const later = async (): Promise<void> => {
    await scheduler.pass(null, chance.below(5 * secondMs));
    if (isSlow) await report(world, head, "pending");
    await scheduler.pass(null, 10 * secondMs + chance.below(3 * minuteMs));
    await report(world, head, state);
  };
  void later();
}
