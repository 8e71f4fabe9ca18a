import { z } from "zod";
import type { GithubAccess } from "#forges/github/github-access.ts";
import { type Caller, callRest } from "#forges/github/github-call.ts";
import { gateAnnotation, gateCheckRun, gateStatus } from "#forges/github/github-gate.ts";
import { githubLimits } from "#forges/github/github-limits.ts";
import { atPull, nameParams } from "#forges/github/github-paths.ts";
import { GithubId } from "#forges/github/github-schema.ts";
import { type Forge, ForgeError, usualGateName } from "#ports/forge.ts";

type GateRequest = Parameters<Forge["setGate"]>[0];

const MadeRun = z.object({ id: GithubId });

/** An App makes check runs, others statuses. GitHub shows the last of a name. */
export async function setGate(
  caller: Caller,
  { access, gateName = usualGateName }: { readonly access: GithubAccess; readonly gateName?: string | undefined },
  request: GateRequest,
): Promise<void> {
  if (access.kind === "app") await createRun(caller, gateName, request);
  else await createStatus(caller, gateName, request);
}

async function createStatus(caller: Caller, gateName: string, request: GateRequest): Promise<void> {
  await callRest(caller, {
    ...asked(request),
    method: "POST",
    path: "/repos/{owner}/{repo}/statuses/{sha}",
    params: { ...nameParams(request.pull.repository.name), sha: request.head, ...gateStatus(gateName, request) },
    shape: z.unknown(),
  });
}

/** GitHub takes fifty annotations at a time and adds later ones. */
async function createRun(caller: Caller, gateName: string, request: GateRequest): Promise<void> {
  const since = caller.clock.now();
  const { annotationsPerCallMax: size } = githubLimits;
  const annotations = (request.annotations ?? []).map(gateAnnotation);
  const run = gateCheckRun(gateName, request);
  const name = nameParams(request.pull.repository.name);
  const first = annotations.slice(0, size);
  const output = first.length === 0 ? run.output : { ...run.output, annotations: first };
  const { id } = await callRest(caller, {
    ...asked(request),
    method: "POST",
    path: "/repos/{owner}/{repo}/check-runs",
    params: { ...name, ...run, output },
    shape: MadeRun,
  });
  for (let at = size; at < annotations.length; at += size) {
    await callRest(caller, {
      ...asked(request),
      since,
      name: "add annotations",
      method: "PATCH",
      path: "/repos/{owner}/{repo}/check-runs/{check_run_id}",
      params: {
        ...name,
        check_run_id: Number(id),
        output: { ...run.output, annotations: annotations.slice(at, at + size) },
      },
      shape: z.unknown(),
    }).catch(sayInPart);
  }
}

/** The gate itself is set by then. */
function sayInPart(error: unknown): never {
  if (!(error instanceof ForgeError)) throw error;
  throw new ForgeError(error.kind, error.message, { isApplied: "unknown", retryAt: error.retryAt, cause: error });
}

function asked({ pull }: GateRequest) {
  return { ...atPull(pull), name: "set gate", manner: "write", rights: "talk" } as const;
}
