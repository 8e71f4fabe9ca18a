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

/** An answer's body, or with its status before it; null is an empty one. */
export type ScriptedAnswer = object | null | readonly [status: number, body: object | null];

/** Answers by method and path, such as `GET /api/v1/user`; all else is not found. */
export function answersByName(answers: Readonly<Record<string, ScriptedAnswer>>): ScriptedFetch {
  return scriptedFetch(({ method, url }) => {
    const answer = answers[`${method} ${new URL(url).pathname}`];
    if (answer === undefined) return jsonAnswer({ message: "not there" }, { status: 404 });
    const [status, body] = isWithStatus(answer) ? answer : [200, answer];
    return body === null ? new Response(null, { status }) : jsonAnswer(body, { status });
  });
}

function isWithStatus(answer: ScriptedAnswer): answer is readonly [number, object | null] {
  return Array.isArray(answer) && typeof answer[0] === "number";
}
