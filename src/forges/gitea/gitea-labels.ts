import { z } from "zod";
import type { Instant } from "#core/model/instant.ts";
import { isSuccess } from "#forges/forge-response.ts";
import { bodyOf, type Caller, call, callPages, callRaw, errorOf } from "#forges/gitea/gitea-call.ts";
import { isStatus } from "#forges/gitea/gitea-error.ts";
import { giteaLimits } from "#forges/gitea/gitea-limits.ts";
import { issuePath, repositoryPath, whereOf } from "#forges/gitea/gitea-paths.ts";
import { GiteaId } from "#forges/gitea/gitea-schema.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";

const Label = z.object({ id: GiteaId, name: z.string() });
type Label = z.infer<typeof Label>;

const newColor = "#ededed";

interface Turn {
  readonly caller: Caller;
  readonly pull: PullRef;
  readonly since: Instant;
}

/** By numbers. Labels that neither repository nor organisation has are made first. */
export async function editLabels(
  caller: Caller,
  { pull, add, remove }: Parameters<Forge["editLabels"]>[0],
): Promise<void> {
  const turn: Turn = { caller, pull, since: caller.clock.now() };
  const there = await fetchLabels(turn);
  const wanted = add.filter((name) => !there.some((label) => label.name === name));
  if (wanted.length > 0) await addLabels(turn, await ensureLabels(turn, wanted));
  let hasBegun = wanted.length > 0;
  for (const label of there.filter(({ name }) => remove.includes(name))) {
    await removeLabel(turn, label, hasBegun);
    hasBegun = true;
  }
}

async function fetchLabels({ caller, pull, since }: Turn): Promise<readonly Label[]> {
  const found = await call(caller, {
    where: whereOf(pull),
    name: "look up labels of the pull",
    manner: "look",
    since,
    method: "GET",
    path: `${issuePath(pull)}/labels`,
    shape: z.array(Label).nullable(),
  });
  return found ?? [];
}

async function ensureLabels(turn: Turn, names: readonly string[]): Promise<readonly number[]> {
  const [owner = ""] = turn.pull.repository.name.split("/");
  const known = new Map<string, string>();
  const lists = [`${repositoryPath(turn.pull.repository)}/labels`, `/orgs/${encodeURIComponent(owner)}/labels`];
  for (const path of lists) {
    if (names.every((name) => known.has(name))) break;
    for (const { id, name } of await listLabels(turn, path)) if (!known.has(name)) known.set(name, id);
  }
  const ids: number[] = [];
  for (const name of names) ids.push(Number(known.get(name) ?? (await createLabel(turn, name))));
  return ids;
}

/** A person has no labels for all repositories: there that list is not found. */
async function listLabels({ caller, pull, since }: Turn, path: string): Promise<readonly Label[]> {
  const asked = { where: whereOf(pull), name: "look up labels", manner: "look", since, method: "GET", path } as const;
  try {
    const { items } = await callPages(caller, { ...asked, shape: Label, itemsMax: giteaLimits.labelsMax });
    return items;
  } catch (error) {
    if (error instanceof ForgeError && (error.kind === "not_found" || error.kind === "forbidden")) return [];
    throw error;
  }
}

async function createLabel({ caller, pull, since }: Turn, name: string): Promise<string> {
  const asked = {
    where: whereOf(pull),
    name: "create label",
    manner: "write",
    since,
    method: "POST",
    path: `${repositoryPath(pull.repository)}/labels`,
    body: { name, color: newColor },
    shape: Label,
  } as const;
  return bodyOf(asked, await callRaw(caller, asked)).id;
}

async function addLabels({ caller, pull, since }: Turn, labels: readonly number[]): Promise<void> {
  await call(caller, {
    where: whereOf(pull),
    name: "add labels",
    manner: "write",
    since,
    method: "POST",
    path: `${issuePath(pull)}/labels`,
    body: { labels },
    shape: z.unknown(),
  });
}

/** A refusal says nothing of the calls before it. */
async function removeLabel({ caller, pull, since }: Turn, { id }: Label, hasBegun: boolean): Promise<void> {
  const asked = {
    where: whereOf(pull),
    name: "remove label",
    manner: "write",
    since,
    method: "DELETE",
    path: `${issuePath(pull)}/labels/${id}`,
  } as const;
  const answer = await callRaw(caller, asked);
  if (isSuccess(answer) || isStatus(answer, 404)) return;
  const error = errorOf(asked, answer);
  if (!hasBegun) throw error;
  throw new ForgeError(error.kind, error.message, { isApplied: "unknown", retryAt: error.retryAt, cause: error });
}
