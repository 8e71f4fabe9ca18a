import type { SecretMasker } from "#core/secrets/known-secrets.ts";

export function maskStrings<Data>(data: Data, secrets: SecretMasker): Data {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, and all else stays what it was.
  return masked(data, secrets) as Data;
}

function masked(data: unknown, secrets: SecretMasker): unknown {
  if (typeof data === "string") return secrets.mask(data);
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) {
    const items: readonly unknown[] = data;
    const maskedItems = items.map((item) => masked(item, secrets));
    return maskedItems.some((item, index) => item !== items[index]) ? maskedItems : data;
  }
  // Bytes, dates, maps and other objects with a class of their own.
  if (Object.getPrototypeOf(data) !== Object.prototype) return data;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(data);
  const maskedEntries = entries.map(([name, value]) => [name, masked(value, secrets)] as const);
  const isChanged = maskedEntries.some(([, value], index) => value !== entries[index]?.[1]);
  return isChanged ? Object.fromEntries(maskedEntries) : data;
}
