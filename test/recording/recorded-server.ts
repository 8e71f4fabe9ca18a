import { z } from "zod";
import { type ScriptedFetch, scriptedFetch } from "#testing/scripted-fetch.ts";
import type { Recording } from "./recording.ts";

type Call = Recording["calls"][number];

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * The recorded server as it stood after so many calls: each path answers what it answered last. What nobody asked for
 * then is put together from what it answered to writes, and is empty where there were none.
 */
export function recordedServer(recording: Recording, count: number): ScriptedFetch {
  const told = new Map<string, Told>([
    [`${root}/version`, plain({ version: "1.21.8" })],
    [`${root}/settings/api`, plain({ max_response_items: 50 })],
    [`${root}/user`, plain(findReviewer(recording))],
  ]);
  for (const [index, call] of recording.calls.slice(0, count).entries()) {
    // Somebody without a token was refused once, and nobody after him.
    if (call.response.status !== 401 || index === count - 1) remember(told, call);
  }
  return scriptedFetch(({ path }) => {
    const { pathname, searchParams } = new URL(path, "http://recorded");
    // Everything that was recorded fits on one page.
    const isFurther = Number(searchParams.get("page") ?? 1) > 1;
    const { status, headers, body } = (isFurther ? undefined : told.get(pathname)) ?? missing(pathname);
    const text = body === null || body === undefined || status === 204 ? null : JSON.stringify(body);
    return new Response(text, { status, headers: withoutPacking(headers) });
  });
}

const root = "/api/v1";

function plain(body: unknown): Told {
  return { status: 200, headers: {}, body };
}

const Reviewed = z.object({ user: z.looseObject({ id: z.number(), login: z.string() }) });

/** Nobody asked who the bot is; its reviews tell. */
function findReviewer({ calls }: Recording): unknown {
  const review = calls.find(({ request }) => request.method === "POST" && request.path.endsWith("/reviews"));
  return Reviewed.parse(review?.response.body).user;
}

const lists = /\/(?:reviews|timeline|reactions|comments|pulls)$/;

function missing(pathname: string): Told {
  if (lists.test(pathname)) return plain([]);
  return pathname.endsWith("/status") ? plain(null) : { status: 404, headers: {}, body: { message: "not recorded" } };
}

/** The body is given as it was read, not as it came over the wire. */
function withoutPacking(headers: Readonly<Record<string, string>>): Record<string, string> {
  const packing = new Set(["content-length", "transfer-encoding", "content-encoding"]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !packing.has(name)));
}

const Made = z.object({ number: z.number().optional(), full_name: z.string().optional() });
const commit = /\/statuses\/(?<sha>[0-9a-f]+)$/;

/** What a write leaves behind for those who look afterwards. */
function remember(told: Map<string, Told>, { request, response }: Call): void {
  const { pathname } = new URL(request.path, "http://recorded");
  const { status, headers, body } = response;
  if (request.method === "GET") told.set(pathname, response);
  if (request.method === "GET" || status >= 300) return;
  const seen = { status: 200, headers, body };
  const made = Made.safeParse(body);
  const sha = commit.exec(pathname)?.groups?.["sha"];
  if (sha !== undefined) {
    told.set(pathname.replace(commit, `/commits/${sha}/status`), { ...seen, body: { statuses: [body] } });
  } else if (pathname.endsWith("/issues/1/reactions")) told.set(pathname, { ...seen, body: [body] });
  else if (pathname === `${root}/user/repos`) told.set(`${root}/repos/${made.data?.full_name ?? ""}`, seen);
  else if (pathname.endsWith("/pulls")) told.set(`${pathname}/${made.data?.number ?? 0}`, seen);
  else if (request.method === "PATCH" && /\/pulls\/\d+$/.test(pathname)) told.set(pathname, seen);
}
