import { z } from "zod";
import { isSuccess } from "#forges/forge-response.ts";
import { type Caller, callRest, callRestRaw, errorOf } from "#forges/github/github-call.ts";
import { atPull, nameParams } from "#forges/github/github-paths.ts";
import { type Forge, ForgeError } from "#ports/forge.ts";

const all = "/repos/{owner}/{repo}/issues/{issue_number}/labels";

/** One call adds all, and makes missing ones. Removing takes one for each. */
export async function editLabels(
  caller: Caller,
  { pull, add, remove }: Parameters<Forge["editLabels"]>[0],
): Promise<void> {
  const since = caller.clock.now();
  const asked = { ...atPull(pull), since, name: "edit labels", manner: "write", rights: "talk" } as const;
  const params = { ...nameParams(pull.repository.name), issue_number: pull.number };
  let hasBegun = add.length > 0;
  if (hasBegun) {
    await callRest(caller, {
      ...asked,
      method: "POST",
      path: all,
      params: { ...params, labels: add },
      shape: z.unknown(),
    });
  }
  for (const name of remove) {
    const answer = await callRestRaw(caller, {
      ...asked,
      method: "DELETE",
      path: `${all}/{name}`,
      params: { ...params, name },
    }).catch((error: unknown): never => {
      // There was no token or no time left to send it.
      throw error instanceof ForgeError ? partly(error, hasBegun) : error;
    });
    const isAbsent = answer.kind === "answered" && answer.status === 404;
    if (!isSuccess(answer) && !isAbsent) throw partly(errorOf(asked, answer), hasBegun);
    hasBegun = true;
  }
}

/** A refusal says nothing of the calls before it. */
function partly(error: ForgeError, hasBegun: boolean): ForgeError {
  if (!hasBegun) return error;
  const { kind, message, retryAt } = error;
  return new ForgeError(kind, message, { isApplied: "unknown", retryAt, cause: error });
}
