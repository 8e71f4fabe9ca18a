import type { Arguments, View } from "#github-like/graphql/view.ts";
import type { Sight } from "#github-like/sight.ts";

export interface Listed<Item> {
  /** What the type's name begins with: `IssueComment` for `IssueCommentConnection`. */
  readonly name: string;
  readonly items: readonly Item[];
  readonly toNode: (item: Item) => unknown;
  /** Grows along the list. A cursor says "after this", so that it holds when an element goes. */
  readonly keyOf?: ((item: Item) => number) | undefined;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A field that is a connection: its value is a function of first, last, after and before. */
export function connection<Item>(sight: Sight, listed: Listed<Item>): (args: Arguments) => View {
  return (args) => {
    const keyed = listed.items.map((item, index) => ({ item, key: listed.keyOf?.(item) ?? index + 1 }));
    const after = readCursor(args["after"]);
    const before = readCursor(args["before"]);
    const between = keyed.filter(
      ({ key }) => (after === undefined || key > after) && (before === undefined || key < before),
    );
    const shown = cut(between, args, sight.world.quirks.pageSize);
    const first = shown[0];
    const last = shown.at(-1);
    return {
      __typename: `${listed.name}Connection`,
      totalCount: keyed.length,
      nodes: () => shown.map(({ item }) => listed.toNode(item)),
      edges: () =>
        shown.map(({ item, key }) => ({
          __typename: `${listed.name}Edge`,
          cursor: writeCursor(key),
          node: () => listed.toNode(item),
        })),
      pageInfo: {
        __typename: "PageInfo",
        startCursor: first === undefined ? null : writeCursor(first.key),
        endCursor: last === undefined ? null : writeCursor(last.key),
        hasNextPage: last !== undefined && keyed.some(({ key }) => key > last.key),
        hasPreviousPage: first !== undefined && keyed.some(({ key }) => key < first.key),
      },
      ...listed.extra,
    };
  };
}

/** The quirk of tiny pages makes them shorter than they were asked for: a client has to look at `pageInfo`. */
function cut<Item>(items: readonly Item[], args: Arguments, pageSize: number): readonly Item[] {
  const first = numberOf(args["first"]);
  const last = numberOf(args["last"]);
  if (first !== undefined) return items.slice(0, Math.min(first, pageSize));
  return last === undefined ? [] : items.slice(-Math.min(last, pageSize));
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function writeCursor(key: number): string {
  return Buffer.from(`cursor:v2:${key}`).toString("base64");
}

function readCursor(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  const found = /^cursor:v2:(\d+)$/.exec(Buffer.from(text, "base64").toString("utf8"));
  if (found === null) throw new Error(`\`${text}\` does not appear to be a valid cursor.`);
  return Number(found[1]);
}
