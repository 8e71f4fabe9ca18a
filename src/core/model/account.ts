import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { AccountId } from "#core/model/ids.ts";

/** Compared by id alone: a login can be renamed and taken over by another user. */
export const Account = z.strictObject({
  id: AccountId,
  login: z.string().min(1),
  /** Gitea does not tell people from bots: there the name tells, and the operator's list on every forge. */
  kind: z.enum(["person", "bot"]),
});
export type Account = Data<typeof Account>;

/** `undetermined` is an error or a refusal to tell. It grants nothing, and is no proof of "no writer". */
export const Permission = z.enum(["admin", "write", "read", "none", "undetermined"]);
export type Permission = z.infer<typeof Permission>;

export const PermissionOf = z.strictObject({ account: AccountId, permission: Permission });
export type PermissionOf = Data<typeof PermissionOf>;

/** Two answers for one account contradict each other: then nothing is known. */
export function permissionsByAccount(told: readonly PermissionOf[]): ReadonlyMap<AccountId, Permission> {
  const found = new Map<AccountId, Permission>();
  for (const { account, permission } of told) {
    const other = found.get(account);
    found.set(account, other === undefined || other === permission ? permission : "undetermined");
  }
  return found;
}

/** If the forge does not tell, they do not count as such. */
export function isPasserBy(permission: Permission | undefined): boolean {
  return permission === "read" || permission === "none";
}

export const Team = z.strictObject({
  name: z.string().min(1),
  members: z.array(AccountId),
});
export type Team = Data<typeof Team>;
