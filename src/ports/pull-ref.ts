import type { InstanceId, RepositoryId } from "#core/model/ids.ts";

/** The API is asked by name; the id stays the same after a renaming. */
export interface PullRef {
  readonly repository: RepositoryRef;
  readonly number: number;
}

export interface RepositoryRef {
  readonly id: RepositoryId;
  /** `owner/name`. */
  readonly name: string;
}

declare const pullKeyBrand: unique symbol;
/** Unique over all forges. */
export type PullKey = string & { readonly [pullKeyBrand]: true };

export function pullKeyOf(instance: InstanceId, { repository, number }: PullRef): PullKey {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return `${pullKeysStart(instance, repository)}${number}` as PullKey;
}

/** Begins the keys of this repository's pulls and no other key. */
export function pullKeysStart(instance: InstanceId, repository: RepositoryRef): string {
  return `${encodeURIComponent(instance)}/${encodeURIComponent(repository.id)}/`;
}

/** It comes last in the key. */
export function pullNumberOf(key: PullKey): number {
  return Number(key.slice(key.lastIndexOf("/") + 1));
}
