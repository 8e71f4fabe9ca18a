import type { Asked, Said } from "#github-like/rest/route.ts";
import type { Sight } from "#github-like/sight.ts";

/** Entries per page where the request does not say; more than the most is the most. */
const pageSizeDefault = 30;
const pageSizeMax = 100;

/** One page of a list, with links to the others. The quirk of tiny pages holds here as well. */
export function page<Item>(
  sight: Sight,
  { query }: Asked,
  {
    items,
    path,
    toBody = (item) => item,
    wrap = (bodies) => bodies,
  }: {
    readonly items: readonly Item[];
    /** Of this request, below the root. */
    readonly path: string;
    readonly toBody?: (item: Item) => unknown;
    readonly wrap?: (bodies: readonly unknown[]) => unknown;
  },
): Said {
  const size = Math.min(positive(query.get("per_page")) ?? pageSizeDefault, pageSizeMax, sight.world.quirks.pageSize);
  const number = positive(query.get("page")) ?? 1;
  const last = Math.max(1, Math.ceil(items.length / size));
  const shown = items.slice((number - 1) * size, number * size);
  const linkTo = (target: number, rel: string): string => {
    const wanted = new URLSearchParams(query);
    wanted.set("page", String(target));
    return `<${sight.url}${path}?${wanted.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [linkTo(number - 1, "prev")] : []),
    ...(number < last ? [linkTo(number + 1, "next"), linkTo(last, "last")] : []),
    ...(number > 1 ? [linkTo(1, "first")] : []),
  ];
  return {
    status: 200,
    body: wrap(shown.map(toBody)),
    ...(links.length > 0 && { headers: { link: links.join(", ") } }),
  };
}

function positive(text: string | null): number | undefined {
  const number = Number(text);
  return text !== null && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
