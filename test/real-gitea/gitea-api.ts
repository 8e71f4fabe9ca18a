/** Gitea's API as anybody with a token can reach it by hand: past our client, so that the two cannot be wrong together. */
export interface GiteaApi {
  get(path: string): Promise<unknown>;
  /** All pages of a list. */
  list(path: string): Promise<readonly unknown[]>;
  /** What happened to a pull. Its total is that of the page, and a page may be empty with others behind it. */
  listTimeline(issue: string): Promise<readonly unknown[]>;
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<unknown>;
}

export class GiteaRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "GiteaRefusal";
    this.status = status;
  }
}

const pageSize = 50;
const pagesMax = 1_000;
/** In a row, after which nothing follows any more. No test has as many remarks as would fill them. */
const emptyPagesMax = 3;

function pageOf(path: string, page: number): string {
  return `${path}${path.includes("?") ? "&" : "?"}page=${page}&limit=${pageSize}`;
}

/** `authorization` as in the header: `token …` or `Basic …`. */
export function giteaApi({ url, authorization }: { readonly url: string; readonly authorization: string }): GiteaApi {
  const ask = async (method: string, path: string, body?: unknown): Promise<Told> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new GiteaRefusal(response.status, `${method} ${path}: ${response.status} ${text}`);
    const total = response.headers.get("x-total-count");
    return { data: text === "" ? undefined : JSON.parse(text), total: total === null ? null : Number(total) };
  };
  return {
    get: async (path) => (await ask("GET", path)).data,
    list: async (path) => {
      const found: unknown[] = [];
      for (let page = 1; page <= pagesMax; page += 1) {
        const { data, total } = await ask("GET", pageOf(path, page));
        const entries: unknown[] = Array.isArray(data) ? data : [];
        found.push(...entries);
        // Without a total it is a list that does not know pages: the second would be the first again.
        if (entries.length === 0 || found.length >= (total ?? 0)) return found;
      }
      throw new Error(`${path} has too many pages`);
    },
    listTimeline: async (issue) => {
      const found: unknown[] = [];
      for (let page = 1, empty = 0; empty < emptyPagesMax; page += 1) {
        const { data } = await ask("GET", pageOf(`${issue}/timeline`, page));
        const entries: unknown[] = Array.isArray(data) ? data : [];
        found.push(...entries);
        empty = entries.length === 0 ? empty + 1 : 0;
      }
      return found;
    },
    send: async (method, path, body) => (await ask(method, path, body)).data,
  };
}

interface Told {
  readonly data: unknown;
  /** How many entries a list has on all its pages, where it tells. */
  readonly total: number | null;
}
