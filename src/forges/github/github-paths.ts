import type { TokenRequest } from "#forges/github/github-access.ts";
import type { PullRef, RepositoryRef } from "#ports/pull-ref.ts";

interface Place {
  readonly where: string;
  readonly repository: TokenRequest["repository"];
}

export function atPull({ repository, number }: PullRef): Place {
  return { where: `${repository.name}#${number}`, repository };
}

export function atRepository(repository: RepositoryRef): Place {
  return { where: repository.name, repository };
}

export function pullParams({ repository, number }: PullRef): Readonly<Record<string, unknown>> {
  return { ...nameParams(repository.name), pull_number: number };
}

export function nameParams(name: string): { readonly owner: string; readonly repo: string } {
  const slash = name.indexOf("/");
  return { owner: name.slice(0, slash), repo: name.slice(slash + 1) };
}
