import { never } from "#core/never.ts";
import type { StatusState } from "#forges/sandbox/pull-state.ts";
import { recordInRepository } from "#forges/sandbox/record-change.ts";
import { EndpointRefusal } from "#forges/sandbox/refusal.ts";
import type { SandboxChange } from "#forges/sandbox/sandbox.ts";
import { sendWebhooks } from "#forges/sandbox/send-webhook.ts";
import { newestOf, type Repository, type World } from "#forges/sandbox/world.ts";

export type StatusMade = Omit<StatusState, "at">;

export async function reportStatus(world: World, repository: Repository, made: StatusMade): Promise<StatusState> {
  const { commit, by } = made;
  const known = repository.statuses.get(commit);
  if (known === undefined) await checkCommit(world, repository, made);
  const status: StatusState = { ...made, at: world.now() };
  if (known === undefined) repository.statuses.set(commit, [status]);
  else known.push(status);
  recordInRepository(world, repository, { by, what: changeOf(made) });
  const isDone = made.state !== "pending";
  for (const entry of repository.pulls.values()) {
    const { state, head } = newestOf(entry);
    if (state === "open" && head.sha === commit) {
      sendWebhooks(world, entry.ref, { kind: "checked", form: made.form, isDone });
    }
  }
  return status;
}

export function latestStatuses(statuses: readonly StatusState[], at: number): readonly StatusState[] {
  const latest = new Map<string, StatusState>();
  for (const status of statuses)
    if (status.at <= at) latest.set(`${status.form} ${status.by.id} ${status.name}`, status);
  return [...latest.values()];
}

async function checkCommit({ host }: World, { ref }: Repository, { commit }: StatusMade): Promise<void> {
  const tree = await host.findTree({ repository: ref.name, commit });
  if (tree === undefined) throw new EndpointRefusal(422, `No commit found for SHA: ${commit}`);
}

function changeOf({ isGate, commit, name, state, words }: StatusMade): SandboxChange["what"] {
  if (isGate) return { kind: "gate_set", head: commit, state: gateStateOf(state), words };
  return { kind: "reported", commit, name, state: state === "neutral" ? "passed" : state };
}

export function gateStateOf(state: StatusState["state"]): "pending" | "success" | "failure" | "neutral" {
  switch (state) {
    case "passed":
      return "success";
    case "failed":
      return "failure";
    case "pending":
    case "neutral":
      return state;
    default:
      return never(state);
  }
}
