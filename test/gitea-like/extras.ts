import type { Account } from "#core/model/account.ts";
import type { CommentId, RepositoryId, ReviewId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { PullState, StatusState } from "#forges/sandbox/pull-state.ts";

/** What Gitea holds and the sandbox does not know: kept by this server alone, without a past. */
export interface Extras {
  readonly labels: Labels;
  /** Repositories in which nothing is said or merged any more. */
  readonly archived: Set<RepositoryId>;
  readonly hooks: Map<RepositoryId, Hook[]>;
  /** Comments in threads that came with a later review than the thread's own. */
  readonly madeIn: Map<CommentId, ReviewId>;
  /** Requests for a review that stay although it was given, because it came with remarks. */
  readonly leftRequests: Map<ReviewId, PullState["requests"][number]>;
  /** Words of a dismissal, by review. */
  readonly dismissals: Map<ReviewId, string>;
  /** What a status says beyond what the sandbox keeps of it. */
  readonly statuses: WeakMap<StatusState, StatusExtra>;
}

export interface StatusExtra {
  readonly word: string;
  readonly targetUrl: string;
}

export interface Hook {
  readonly id: number;
  readonly type: string;
  readonly by: Account;
  readonly config: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly branchFilter: string;
  readonly authorizationHeader: string;
  readonly isActive: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Labels are things of their own there, with numbers; the sandbox has names alone. */
export interface Labels {
  /** All of a repository, in the order of their numbers. */
  all(repository: RepositoryId): readonly Label[];
  /** One that somebody stuck to a pull by hand came to be that way. */
  named(repository: RepositoryId, name: string): Label;
  create(repository: RepositoryId, made: Omit<Label, "id">): Label;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export function createExtras(): Extras {
  return {
    labels: createLabels(),
    archived: new Set(),
    hooks: new Map(),
    madeIn: new Map(),
    leftRequests: new Map(),
    dismissals: new Map(),
    statuses: new WeakMap(),
  };
}

function createLabels(): Labels {
  const known = new Map<RepositoryId, Label[]>();
  let last = 0;
  const all = (repository: RepositoryId): Label[] => {
    const labels = known.get(repository) ?? [];
    known.set(repository, labels);
    return labels;
  };
  const create: Labels["create"] = (repository, made) => {
    last += 1;
    const label = { id: last, ...made };
    all(repository).push(label);
    return label;
  };
  return {
    all,
    create,
    named: (repository, name) =>
      all(repository).find((label) => label.name === name) ??
      create(repository, { name, color: "ededed", description: "" }),
  };
}
