import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

export function whereOf({ repository, number }: PullRef): string {
  return `${repository.name}#${number}`;
}

export function repositoryPath({ name }: Pick<RepositoryRef, "name">): string {
  const slash = name.indexOf("/");
  return `/repos/${encodeURIComponent(name.slice(0, slash))}/${encodeURIComponent(name.slice(slash + 1))}`;
}

export function pullPath({ repository, number }: PullRef): string {
  return `${repositoryPath(repository)}/pulls/${number}`;
}

/** A pull is an issue too, of the same number. */
export function issuePath({ repository, number }: PullRef): string {
  return `${repositoryPath(repository)}/issues/${number}`;
}

export function readGiteaId(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
