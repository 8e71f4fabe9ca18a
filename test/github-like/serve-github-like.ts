import type { Account } from "#core/model/account.ts";
import type { CommentId } from "#core/model/ids.ts";
import { listen } from "#forge-like/listen.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { createAllowances } from "#github-like/allowance.ts";
import { answerRequest } from "#github-like/answer-request.ts";
import { createAppState, type GithubLikeApp } from "#github-like/app-state.ts";
import { createExtras, type Workflow } from "#github-like/extras.ts";
import { type CommentSpace, createNumbers } from "#github-like/numbers.ts";
import { allPermissions, type Permissions } from "#github-like/rights.ts";
import { figuresOf, type SeenRequest } from "#github-like/seen-request.ts";
import type { Site } from "#github-like/site.ts";
import type { Clock } from "#ports/clock.ts";
import type { RepositoryRef } from "#ports/pull-ref.ts";

export interface GithubLikeOptions {
  /** In the manner of GitHub. */
  readonly sandbox: Sandbox;
  /** The App that there is from the beginning; others may be installed later. */
  readonly app?: { readonly bot: Account; readonly permissions?: Permissions };
  /** 0, or none, is any that is free. */
  readonly port?: number;
  /** Requests of REST and points of GraphQL per account and hour; GitHub's own limits unless told otherwise. */
  readonly perHourMax?: { readonly core?: number; readonly graphql?: number };
  /** By which JWTs and the life of tokens are judged, where it is not the forge's. */
  readonly tokenClock?: Pick<Clock, "now">;
  /** Where git's own repositories lie, one folder `owner/name.git` each, if there are any. */
  readonly gitRoot?: string;
  /** The status of secondary limits: GitHub uses both. 403 unless told otherwise. */
  readonly limitStatus?: 403 | 429;
  /** `figures` leaves bodies and answers out of the list of requests, for runs that make very many. */
  readonly remembers?: "everything" | "figures";
  /** Where no answer is to come: the connection breaks, or stays open until somebody gives up. */
  readonly silence?: "hangs_up" | "waits";
}

export interface GithubLike {
  /** The root of REST, like https://api.github.com; GraphQL is at `/graphql`, and git at `/<owner>/<name>.git`. */
  readonly url: string;
  /** Tokens by whoever they belong to. A person's is a classic one, a bot's that of an installation with all rights. */
  readonly tokens: Map<string, Account>;
  /** The first App. */
  readonly app: GithubLikeApp;
  /** Everywhere where its bot was given a permission. */
  installApp(made: { readonly bot: Account; readonly permissions?: Permissions }): GithubLikeApp;
  /** A token of an installation that was narrowed, like the one that a workflow gets. */
  issueToken(made: {
    readonly bot: Account;
    readonly permissions?: Permissions;
    readonly repositories?: readonly RepositoryRef[];
  }): string;
  /** A branch that only the merge queue may merge into. */
  requireQueue(repository: RepositoryRef, branch: string): void;
  /** Whether "Allow GitHub Actions to create and approve pull requests" is on there; it is off in a new repository. */
  letActionsApprove(repository: RepositoryRef, isOn: boolean): void;
  /** Checks of this name that GitHub Actions makes come from that workflow. */
  addWorkflow(made: Workflow & { readonly job: string }): void;
  /** So many others had installed the App before, and have suspended it. */
  addSuspendedInstallations(count: number): void;
  /** Under which number the API knows a comment of the sandbox, and back: the two kinds are numbered apart. */
  commentNumber(space: CommentSpace, comment: CommentId): number;
  findComment(space: CommentSpace, number: number): CommentId | undefined;
  /** Every request as it came in and what it was answered, in the order of the answers. */
  readonly requests: readonly SeenRequest[];
  /** Where a request or one of our own answers was not as GitHub describes it. Tests assert that there are none. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/** The hourly allowance of a user's token, and the smallest one of an installation. */
const perHour = 5000;

export async function serveGithubLike(options: GithubLikeOptions): Promise<GithubLike> {
  const { sandbox, perHourMax = {}, tokenClock } = options;
  const tokens = new Map<string, Account>();
  const requests: SeenRequest[] = [];
  const violations: string[] = [];
  const apps = createAppState();
  const site: Site = {
    sandbox,
    url: "",
    tokens,
    apps,
    numbers: createNumbers(sandbox.history),
    extras: createExtras(),
    allowances: createAllowances((resource) => perHourMax[resource] ?? perHour),
    tokenClock: tokenClock ?? null,
    gitRoot: options.gitRoot ?? null,
    limitStatus: options.limitStatus ?? 403,
    silence: options.silence ?? "hangs_up",
    note: (seen) => void requests.push(options.remembers === "figures" ? figuresOf(seen) : seen),
    complain: (what) => void violations.push(what),
  };
  const install: GithubLike["installApp"] = ({ bot, permissions = allPermissions }) =>
    apps.install({ bot, permissions });
  if (options.app !== undefined) install(options.app);
  const listening = await listen(options.port ?? 0, (request, response) =>
    answerRequest({ ...site, url: served.url }, request, response),
  );
  const { url } = listening;
  const served = { url };
  return {
    url,
    tokens,
    get app() {
      const [first] = apps.apps;
      if (first === undefined) throw new Error("no App was installed");
      return first;
    },
    installApp: install,
    issueToken: ({ bot, permissions = allPermissions, repositories }) => {
      const ids = repositories === undefined ? null : new Set(repositories.map(({ id }) => id));
      return apps.issue({ kind: "installation", account: bot, repositories: ids, permissions }, null);
    },
    requireQueue: ({ id }, branch) => void site.extras.queuedBranches.add(`${id}:${branch}`),
    letActionsApprove: ({ id }, isOn) => {
      if (isOn) site.extras.approvedByActions.add(id);
      else site.extras.approvedByActions.delete(id);
    },
    addWorkflow: ({ job, ...workflow }) => void site.extras.workflows.set(job, workflow),
    addSuspendedInstallations: (count) => {
      for (let number = 1; number <= count; number++) site.extras.suspended.add(number);
    },
    commentNumber: (space, comment) => site.numbers.commentNumber(space, comment),
    findComment: (space, number) => site.numbers.findComment(space, number),
    requests,
    violations,
    close: () => listening.close(),
  };
}
