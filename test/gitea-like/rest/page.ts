import type { Asked, Said } from "#gitea-like/rest/route.ts";
import type { Sight } from "#gitea-like/sight.ts";

/** Entries per page where the request does not say; the sandbox's quirk of tiny pages is the most. */
const pageSizeDefault = 30;

export interface Paging {
  readonly number: number;
  readonly size: number;
}

/** More than the most is the most, and nothing at all the default. */
export function pagingOf({ world }: Sight, { query }: Asked): Paging {
  const max = world.quirks.pageSize;
  const wanted = positive(query.get("limit")) ?? Math.min(pageSizeDefault, max);
  return { number: positive(query.get("page")) ?? 1, size: Math.min(wanted, max) };
}

export function slice<Item>(items: readonly Item[], { number, size }: Paging): readonly Item[] {
  return items.slice((number - 1) * size, number * size);
}

export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly toBody: (item: Item) => unknown;
  /** Only some lists have them. */
  readonly hasLinks?: boolean;
  /** A list that was never begun is written as null. */
  readonly emptyIsNull?: boolean;
}

/** One page of a list, with how many there are in all. */
export async function page<Item>(sight: Sight, asked: Asked, listed: Listed<Item>): Promise<Said> {
  const { items, toBody, hasLinks = false, emptyIsNull = false } = listed;
  const paging = pagingOf(sight, asked);
  const bodies = await Promise.all(slice(items, paging).map((item) => toBody(item)));
  return {
    status: 200,
    body: emptyIsNull && bodies.length === 0 ? null : bodies,
    headers: {
      ...totalHeader(items.length),
      ...(hasLinks && linkHeader(sight, asked, { ...paging, total: items.length })),
    },
  };
}

export function totalHeader(total: number): Readonly<Record<string, string>> {
  return { "x-total-count": String(total), "access-control-expose-headers": "X-Total-Count" };
}

export function linkHeader(
  { url }: Sight,
  { path, query }: Asked,
  { number, size, total }: Paging & { readonly total: number },
): Readonly<Record<string, string>> {
  const last = Math.max(1, Math.ceil(total / size));
  const linkTo = (target: number, rel: string): string => {
    const wanted = new URLSearchParams(query);
    wanted.set("page", String(target));
    wanted.sort();
    return `<${url}${path}?${wanted.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(number < last ? [linkTo(number + 1, "next"), linkTo(last, "last")] : []),
    ...(number > 1 ? [linkTo(1, "first"), linkTo(Math.min(number, last + 1) - 1, "prev")] : []),
  ];
  return links.length === 0 ? {} : { link: links.join(",") };
}

function positive(text: string | null): number | undefined {
  const number = Number(text);
  return text !== null && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
