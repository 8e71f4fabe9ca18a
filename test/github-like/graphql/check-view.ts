import type { HeadSha } from "#core/model/ids.ts";
import { time } from "#forge-like/time.ts";
import type { StatusState } from "#forges/sandbox/pull-state.ts";
import { appNumber } from "#github-like/app-number.ts";
import { checkRunOf } from "#github-like/check-runs.ts";
import type { Workflow } from "#github-like/extras.ts";
import { actorView } from "#github-like/graphql/actor-view.ts";
import { connection } from "#github-like/graphql/connection.ts";
import { mustBeAllowed } from "#github-like/graphql/graphql-error.ts";
import type { View } from "#github-like/graphql/view.ts";
import { nodeId } from "#github-like/node-id.ts";
import { graphqlLogin } from "#github-like/rest/user-body.ts";
import type { PullSight } from "#github-like/sight.ts";

export function rollupView(pull: PullSight, commit: HeadSha, statuses: readonly StatusState[]): View {
  const { sight, entry } = pull;
  const runs = statuses.filter(({ form }) => form === "check_run");
  const contexts = statuses.filter(({ form }) => form === "status");
  return {
    __typename: "StatusCheckRollup",
    id: nodeId("C", entry.repository.ref.id, commit, "rollup"),
    state: rollupWord(statuses),
    contexts: connection(sight, {
      name: "StatusCheckRollupContext",
      items: statuses,
      toNode: (status) => (status.form === "check_run" ? checkRunView(pull, status) : statusView(pull, status)),
      extra: {
        checkRunCount: runs.length,
        checkRunCountsByState: counts("CheckRunStateCount", runs.map(runWord)),
        statusContextCount: contexts.length,
        statusContextCountsByState: counts(
          "StatusContextStateCount",
          contexts.map(({ state }) => statusWords[state]),
        ),
      },
    }),
  };
}

function counts(typename: string, words: readonly string[]): readonly View[] {
  return [...new Set(words)].map((state) => ({
    __typename: typename,
    state,
    count: words.filter((word) => word === state).length,
  }));
}

function runWord({ state }: StatusState): string {
  return state === "pending" ? "IN_PROGRESS" : conclusions[state];
}

function rollupWord(statuses: readonly StatusState[]): string {
  if (statuses.some(({ state }) => state === "failed")) return "FAILURE";
  return statuses.some(({ state }) => state === "pending") ? "PENDING" : "SUCCESS";
}

function checkRunView({ sight, entry }: PullSight, status: StatusState): View {
  const { id, extra } = checkRunOf(sight, entry.repository, status);
  const at = time(status.at);
  return {
    __typename: "CheckRun",
    id: nodeId("CR", entry.repository.ref.id, id),
    databaseId: id,
    name: status.name,
    status: status.state === "pending" ? "IN_PROGRESS" : "COMPLETED",
    conclusion: status.state === "pending" ? null : conclusions[status.state],
    startedAt: at,
    completedAt: status.state === "pending" ? null : at,
    title: extra.title,
    summary: status.words,
    text: extra.text,
    detailsUrl: extra.detailsUrl,
    externalId: extra.externalId,
    url: `${sight.url}/${entry.repository.ref.name}/runs/${id}`,
    isRequired: false,
    checkSuite: {
      __typename: "CheckSuite",
      id: nodeId("CR", entry.repository.ref.id, "suite", status.by.id),
      databaseId: Number(status.by.id),
      app: {
        __typename: "App",
        id: nodeId("A", status.by.id),
        databaseId: appNumber(sight.apps, status.by),
        slug: graphqlLogin(status.by),
        name: graphqlLogin(status.by),
      },
      // Even to be told that there is none, a token has to be allowed to see the runs of workflows.
      workflowRun: () => {
        mustBeAllowed(sight, [["actions", "read"]]);
        const workflow =
          status.by.login === "github-actions[bot]" ? sight.extras.workflows.get(status.name) : undefined;
        return workflow === undefined ? null : workflowRunView(workflow);
      },
    },
  };
}

function workflowRunView({ name, event }: Workflow): View {
  return { __typename: "WorkflowRun", event, workflow: { __typename: "Workflow", name } };
}

const conclusions = { passed: "SUCCESS", failed: "FAILURE", neutral: "NEUTRAL" } as const;

function statusView({ sight, entry }: PullSight, status: StatusState): View {
  return {
    __typename: "StatusContext",
    id: nodeId("SC", entry.repository.ref.id, status.commit, status.by.id, status.name),
    context: status.name,
    state: statusWords[status.state],
    description: status.words,
    createdAt: time(status.at),
    targetUrl: null,
    isRequired: false,
    creator: () => actorView(sight, status.by),
  };
}

const statusWords = { passed: "SUCCESS", neutral: "SUCCESS", failed: "FAILURE", pending: "PENDING" } as const;
