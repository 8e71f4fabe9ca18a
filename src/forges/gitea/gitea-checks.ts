import { z } from "zod";
import type { Account } from "#core/model/account.ts";
import type { Check } from "#core/model/conversation.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { limits } from "#core/model/limits.ts";
import { type Caller, call } from "#forges/gitea/gitea-call.ts";
import { readGate } from "#forges/gitea/gitea-gate.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { readUser } from "#forges/gitea/gitea-map.ts";
import { repositoryPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { GiteaStatus } from "#forges/gitea/gitea-schema.ts";
import type { FetchedPull } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

/** Without a status older servers answer nothing, newer ones an empty list or null. */
const Combined = z
  .object({ statuses: z.array(GiteaStatus).nullish() })
  .nullable()
  .transform((combined) => combined?.statuses ?? []);

export interface Statuses {
  readonly items: readonly GiteaStatus[];
  readonly isCut: boolean;
}

interface StatusesLook {
  readonly pull: PullRef;
  readonly head: string;
  readonly pageSize: number | null;
}

/** The last status of a name counts, from any account. One set meanwhile moves to the first page: read it again. */
export async function fetchStatuses(caller: Caller, look: StatusesLook): Promise<Statuses> {
  const found = new Map<string, GiteaStatus>();
  const add = (statuses: readonly GiteaStatus[]): void => {
    for (const status of statuses) found.set(status.context, status);
  };
  for (let page = 1; found.size <= limits.checksMax; page++) {
    const statuses = await fetchStatusPage(caller, look, page);
    add(statuses);
    if (statuses.length >= (look.pageSize ?? giteaLimits.pageSizeMin)) continue;
    if (page > 1) add(await fetchStatusPage(caller, look, 1));
    break;
  }
  const items = [...found.values()];
  return { items: items.slice(0, limits.checksMax), isCut: items.length > limits.checksMax };
}

async function fetchStatusPage(
  caller: Caller,
  { pull, head }: StatusesLook,
  page: number,
): Promise<readonly GiteaStatus[]> {
  return await call(caller, {
    where: whereOf(pull),
    name: "fetch statuses",
    manner: "read",
    method: "GET",
    path: `${repositoryPath(pull.repository)}/commits/${head}/status`,
    query: { page, limit: giteaLimits.pageSize },
    shape: Combined,
  });
}

export function readChecks(
  statuses: readonly GiteaStatus[],
  { head, bot, gateName }: { readonly head: HeadSha; readonly bot: Account; readonly gateName: string },
): Pick<FetchedPull, "checks" | "gate"> {
  const isOwn = ({ context, creator }: GiteaStatus): boolean => context === gateName && creator?.id === bot.id;
  const own = statuses.find(isOwn);
  const others = statuses.filter((status) => !isOwn(status));
  return {
    checks: others.map((status) => readStatus(status, head)),
    gate: own === undefined ? null : readGate(own, head),
  };
}

/** A warning keeps a protected branch from being merged into. An unknown word is awaited. */
const states: ReadonlyMap<string, Check["state"]> = new Map([
  ["success", "passed"],
  ["skipped", "passed"],
  ["failure", "failed"],
  ["error", "failed"],
  ["warning", "failed"],
]);

function readStatus({ context, status, creator, created_at }: GiteaStatus, head: HeadSha): Check {
  const name = context === "" ? "default" : context;
  return { name, source: readUser(creator).login, head, state: states.get(status) ?? "pending", startedAt: created_at };
}
