import type { InstanceId, RepositoryId } from "#core/model/ids.ts";

/** Where a pull is. The name is how the forge's API is asked; the id is who it is, also after a renaming. */
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
/** Names a pull over all forges, in the store and in the queue. */
export type PullKey = string & { readonly [pullKeyBrand]: true };

export function pullKeyOf(instance: InstanceId, { repository, number }: PullRef): PullKey {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return `${pullKeysStart(instance, repository)}${number}` as PullKey;
}

/** What the keys of all pulls of a repository begin with, and no other key does. */
export function pullKeysStart(instance: InstanceId, repository: RepositoryRef): string {
  return `${encodeURIComponent(instance)}/${encodeURIComponent(repository.id)}/`;
}

/** The number of the pull that a key names: it comes last. */
export function pullNumberOf(key: PullKey): number {
  return Number(key.slice(key.lastIndexOf("/") + 1));
}
