declare const originBrand: unique symbol;
/** Plain enough for any database. */
export type OriginText = string & { readonly [originBrand]: true };

/** An index of the database has to hold it. Origins that are cut to the same text share their turns. */
const originCharsMax = 150;

export function originText(origin: { readonly repository: string; readonly author: string | null } | null): OriginText {
  const text = origin === null ? "" : `${escaped(origin.repository)}/${escaped(origin.author ?? "")}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes the brand.
  return JSON.stringify(text.slice(0, originCharsMax)).slice(1, -1) as OriginText;
}

export function repositoryText(origin: OriginText): string {
  return origin.split("/")[0] ?? "";
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("/", "%2F");
}
