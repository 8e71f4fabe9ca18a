import type { ActionKey } from "#core/model/ids.ts";

/**
 * The name of an effect within its pull. Parts are escaped, so that no branch or role name can be written in a way that
 * names another effect.
 */
export function actionKey(...parts: readonly (string | number)[]): ActionKey {
  const text = parts.map((part) => String(part).replace(/[%/]/g, (sign) => (sign === "%" ? "%25" : "%2F"))).join("/");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return text as ActionKey;
}
