/** What a node id can stand for, by GitHub's prefixes. */
export type NodeKind =
  | "R"
  | "U"
  | "BOT"
  | "PR"
  | "IC"
  | "PRR"
  | "PRRC"
  | "PRRT"
  | "REA"
  | "LA"
  | "C"
  | "CR"
  | "SC"
  | "UCE"
  | "RRE"
  | "MQE"
  | "A"
  | "E";

export interface Node {
  readonly kind: NodeKind;
  /** `repository`, `repository:pull`, `repository:pull:thing`, or the id of an account. */
  readonly path: readonly string[];
}

/** Opaque, as all clients have to take it: base64 of something, after a prefix that tells the type. */
export function nodeId(kind: NodeKind, ...path: readonly (string | number)[]): string {
  return `${kind}_kwDO${Buffer.from(path.join("\n")).toString("base64url")}`;
}

export function readNodeId(id: string): Node | undefined {
  const found = /^([A-Z]+)_kwDO([\w-]+)$/.exec(id);
  const [, kind, rest] = found ?? [];
  if (kind === undefined || rest === undefined || !isKind(kind)) return undefined;
  return { kind, path: Buffer.from(rest, "base64url").toString("utf8").split("\n") };
}

const kinds: ReadonlySet<string> = new Set([
  "R",
  "U",
  "BOT",
  "PR",
  "IC",
  "PRR",
  "PRRC",
  "PRRT",
  "REA",
  "LA",
  "C",
  "CR",
  "SC",
  "UCE",
  "RRE",
  "MQE",
  "A",
  "E",
]);

function isKind(word: string): word is NodeKind {
  return kinds.has(word);
}
