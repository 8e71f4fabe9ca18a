import type { ActionKey } from "#core/model/ids.ts";

/** Escaped, so that no branch or role name can name another effect. */
export function actionKey(...parts: readonly (string | number)[]): ActionKey {
  const text = parts.map((part) => String(part).replace(/[%/]/g, (sign) => (sign === "%" ? "%25" : "%2F"))).join("/");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return text as ActionKey;
}
