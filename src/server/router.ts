import type { IncomingMessage } from "node:http";
import type { Instant } from "#core/model/instant.ts";
import { type HttpResponse, textResponse } from "#server/http-response.ts";

export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly receivedAt: Instant;
  readonly isStopping: boolean;
}

export type Handler = (exchange: Exchange) => Promise<HttpResponse | undefined>;

export interface Route {
  readonly methods: readonly string[];
  readonly handle: Handler;
}

export function routeTo(routes: ReadonlyMap<string, Route>): Handler {
  return async (exchange) => {
    const { url = "", method = "" } = exchange.request;
    const route = routes.get(pathOf(url));
    if (route === undefined) return notFound;
    if (route.methods.includes(method)) return await route.handle(exchange);
    return textResponse(405, "method not allowed", { headers: { allow: route.methods.join(", ") } });
  };
}

const notFound = textResponse(404, "not found");

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
