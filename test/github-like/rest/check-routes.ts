import { z } from "zod";
import { HeadSha } from "#core/model/ids.ts";
import type { StatusState } from "#forges/sandbox/pull-state.ts";
import { EndpointRefusal, notFound } from "#forges/sandbox/refusal.ts";
import { latestStatuses, reportStatus } from "#forges/sandbox/report-status.ts";
import { mayWrite, type Repository } from "#forges/sandbox/world.ts";
import { checkRunOf, giveRunNumber, runKey } from "#github-like/check-runs.ts";
import type { CheckRunExtra } from "#github-like/extras.ts";
import { checkRunBody, simpleStatusBody, statusBody } from "#github-like/rest/check-body.ts";
import { page } from "#github-like/rest/page.ts";
import { repositoryBody, repositoryUrl } from "#github-like/rest/repository-body.ts";
import {
  type Asked,
  created,
  numberParam,
  ok,
  param,
  type Route,
  readBody,
  repositoryName,
  Unprocessable,
} from "#github-like/rest/route.ts";
import { mustFindRepository, type Sight } from "#github-like/sight.ts";

const titleCharactersMax = 255;
const annotationsMax = 50;
const contextCharactersMax = 255;
const descriptionCharactersMax = 140;

const Output = z.object({
  title: z.string().max(titleCharactersMax).optional(),
  summary: z.string(),
  text: z.string().nullish(),
  annotations: z
    .array(z.unknown())
    .max(annotationsMax)
    .default(() => []),
});
const RunChange = z.object({
  name: z.string().optional(),
  status: z.enum(["queued", "in_progress", "completed"]).optional(),
  conclusion: z
    .enum(["action_required", "cancelled", "failure", "neutral", "success", "skipped", "stale", "timed_out"])
    .optional(),
  output: Output.optional(),
  details_url: z.string().optional(),
  external_id: z.string().optional(),
});
const Run = RunChange.extend({ name: z.string().min(1), head_sha: HeadSha });
const Status = z.object({
  state: z.enum(["error", "failure", "pending", "success"]),
  context: z.string().max(contextCharactersMax).default("default"),
  description: z.string().max(descriptionCharactersMax).nullish(),
});

export const checkRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/check-runs",
    name: "create_check_run",
    isWrite: true,
    needs: [["checks", "write"]],
    async serve(sight, asked) {
      const repository = await repositoryForRuns(sight, asked);
      const run = readBody(Run, asked);
      const place = { commit: run.head_sha, by: sight.asker, name: run.name };
      // Each POST is a run of its own, and the last one of a name is the one that counts.
      const key = runKey(repository.ref.id, place);
      giveRunNumber(sight.extras.runs, { key, status: place, repository: repository.ref.id });
      return created(checkRunBody(sight, repository, await report(sight, repository, { place, run, before: null })));
    },
  },
  {
    method: "PATCH",
    path: "/repos/{owner}/{repo}/check-runs/{check_run_id}",
    name: "update_check_run",
    isWrite: true,
    needs: [["checks", "write"]],
    async serve(sight, asked) {
      const repository = await repositoryForRuns(sight, asked);
      const { before, place } = findRun(sight, repository, asked);
      if (place.by.id !== sight.asker.id) throw new EndpointRefusal(403, "Invalid app_id for check run");
      const run = readBody(RunChange, asked);
      return ok(checkRunBody(sight, repository, await report(sight, repository, { place, run, before })));
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/check-runs/{check_run_id}",
    name: "get_check_run",
    isWrite: false,
    needs: [["checks", "read"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      return ok(checkRunBody(sight, repository, findRun(sight, repository, asked).before));
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}/check-runs",
    name: "list_check_runs",
    isWrite: false,
    needs: [["checks", "read"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const name = asked.query.get("check_name");
      const runs = seenStatuses(sight, repository, param(asked.params, "ref"));
      const items = runs.filter((run) => run.form === "check_run" && (name === null || run.name === name));
      return page(sight, asked, {
        items,
        path: `/repos/${repositoryName(asked)}/commits/${param(asked.params, "ref")}/check-runs`,
        toBody: (status) => checkRunBody(sight, repository, status),
        wrap: (check_runs) => ({ total_count: items.length, check_runs }),
      });
    },
  },
  {
    method: "POST",
    path: "/repos/{owner}/{repo}/statuses/{sha}",
    name: "create_status",
    isWrite: true,
    needs: [["statuses", "write"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      if (!mayWrite(repository, sight.asker)) throw notFound();
      const { state, context, description } = readBody(Status, asked);
      const status = await reportStatus(sight.world, repository, {
        form: "status",
        name: context,
        commit: readSha(param(asked.params, "sha")),
        by: sight.asker,
        state: state === "pending" ? "pending" : state === "success" ? "passed" : "failed",
        words: description ?? "",
        isGate: true,
      });
      return created(statusBody(sight, repository, status));
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/commits/{ref}/status",
    name: "list_statuses",
    isWrite: false,
    needs: [["statuses", "read"]],
    async serve(sight, asked) {
      const repository = await mustFindRepository(sight, repositoryName(asked));
      const commit = param(asked.params, "ref");
      const items = seenStatuses(sight, repository, commit).filter(({ form }) => form === "status");
      const at = `${repositoryUrl(sight, repository.ref.name)}/commits/${commit}`;
      return page(sight, asked, {
        items,
        path: `/repos/${repositoryName(asked)}/commits/${commit}/status`,
        toBody: (status) => simpleStatusBody(sight, repository, status),
        wrap: (statuses) => ({
          state: combinedState(items),
          statuses,
          sha: commit,
          total_count: items.length,
          repository: repositoryBody(sight, repository),
          commit_url: at,
          url: `${at}/status`,
        }),
      });
    },
  },
];

/** Apps alone, and where they may write. */
async function repositoryForRuns(sight: Sight, asked: Asked): Promise<Repository> {
  const repository = await mustFindRepository(sight, repositoryName(asked));
  if (sight.rights.kind !== "installation") throw new EndpointRefusal(403, "You must authenticate via a GitHub App.");
  if (!mayWrite(repository, sight.asker)) throw new EndpointRefusal(403, "Resource not accessible by integration");
  return repository;
}

function findRun(sight: Sight, repository: Repository, asked: Asked) {
  const known = sight.extras.runs.byNumber.get(numberParam(asked, "check_run_id"));
  if (known === undefined || known.repository !== repository.ref.id) throw notFound();
  const { commit, by, name } = known.status;
  const before = seenStatuses(sight, repository, commit).find(
    (status) => status.form === "check_run" && status.by.id === by.id && status.name === name,
  );
  if (before === undefined) throw notFound();
  return { before, place: known.status };
}

interface Reporting {
  readonly place: Pick<StatusState, "commit" | "by" | "name">;
  readonly run: z.infer<typeof RunChange>;
  readonly before: StatusState | null;
}

/** What a change does not speak of stays as it was. */
async function report(sight: Sight, repository: Repository, { place, run, before }: Reporting): Promise<StatusState> {
  const { conclusion, output, status } = run;
  if (status === "completed" && conclusion === undefined) {
    throw new Unprocessable(["Conclusion is required when the status is completed"], "Invalid request.");
  }
  const kept = before === null ? undefined : checkRunOf(sight, repository, before).extra;
  const made = await reportStatus(sight.world, repository, {
    form: "check_run",
    ...place,
    state:
      conclusion !== undefined ? stateOf[conclusion] : status === undefined ? (before?.state ?? "pending") : "pending",
    words: output?.summary ?? before?.words ?? "",
    isGate: true,
  });
  const said: CheckRunExtra = {
    title: output?.title ?? kept?.title ?? "",
    text: output?.text ?? kept?.text ?? null,
    annotations: (kept?.annotations ?? 0) + (output?.annotations.length ?? 0),
    detailsUrl: run.details_url ?? kept?.detailsUrl ?? null,
    externalId: run.external_id ?? kept?.externalId ?? "",
  };
  sight.extras.runs.said.set(made, said);
  return made;
}

const stateOf = {
  success: "passed",
  skipped: "passed",
  neutral: "neutral",
  action_required: "failed",
  cancelled: "failed",
  failure: "failed",
  stale: "failed",
  timed_out: "failed",
} as const;

function readSha(text: string): HeadSha {
  const read = HeadSha.safeParse(text);
  if (!read.success) throw new Unprocessable([], `No commit found for SHA: ${text}`);
  return read.data;
}

/** Of a commit, or of where a branch stands now. */
function seenStatuses({ at }: Sight, repository: Repository, ref: string): readonly StatusState[] {
  const commit = HeadSha.safeParse(ref).data ?? repository.tips.get(`refs/heads/${ref}`);
  if (commit === undefined) throw new Unprocessable([], `No commit found for SHA: ${ref}`);
  return latestStatuses(repository.statuses.get(commit) ?? [], at);
}

function combinedState(statuses: readonly StatusState[]): string {
  if (statuses.some(({ state }) => state === "failed")) return "failure";
  return statuses.length === 0 || statuses.some(({ state }) => state === "pending") ? "pending" : "success";
}
