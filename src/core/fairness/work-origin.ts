/** For whom something is done: the repository, and who opened the pull there; null where nobody knows yet. */
export interface WorkOrigin {
  readonly repository: string;
  readonly author: string | null;
}

/** An index of the database has to hold it. Origins that are cut to the same text share their turns. */
const originCharsMax = 150;

/** The same text for the same origin, plain enough for any database. What has no origin has the empty text. */
export function originText(origin: WorkOrigin | null): string {
  if (origin === null) return "";
  const text = `${escaped(origin.repository)}/${escaped(origin.author ?? "")}`;
  return JSON.stringify(text.slice(0, originCharsMax)).slice(1, -1);
}

/** The part of an origin's text that all authors of its repository have in common. */
export function repositoryText(origin: string): string {
  return origin.split("/")[0] ?? "";
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("/", "%2F");
}
