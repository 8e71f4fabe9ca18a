/** One request as it went out. */
export interface HeardRequest {
  readonly method: string;
  /** With its query, without host. */
  readonly path: string;
  readonly url: string;
  readonly headers: Headers;
  /** Of JSON; null where there was none. */
  readonly body: unknown;
}

export interface ScriptedFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly heard: readonly HeardRequest[];
}

/** The other end of a client's line: answers by a script, and remembers what it was asked. Null breaks the connection. */
export function scriptedFetch(answer: (request: HeardRequest, index: number) => Response | null): ScriptedFetch {
  const heard: HeardRequest[] = [];
  return {
    heard,
    async fetch(input, init) {
      const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
      const text = init?.body;
      const { pathname, search } = new URL(url);
      const request: HeardRequest = {
        method: init?.method ?? "GET",
        path: pathname + search,
        url,
        headers: new Headers(init?.headers),
        body: typeof text === "string" ? JSON.parse(text) : null,
      };
      heard.push(request);
      const response = answer(request, heard.length - 1);
      if (response === null) throw new TypeError("fetch failed");
      return response;
    },
  };
}

export function jsonAnswer(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  const headers = { "content-type": "application/json; charset=utf-8", ...init.headers };
  return new Response(JSON.stringify(body), { status: init.status ?? 200, headers });
}
