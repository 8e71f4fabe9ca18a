import { isIP } from "node:net";
import { type HttpResponse, textResponse } from "#server/http-response.ts";
import type { Route } from "#server/router.ts";

/** A web page can point a host name of its own at us and read our answers, so only known names are served. */
export function ownHostsOnly(
  route: Route,
  /** Asked anew each time, so that a reload holds. */
  listed: () => readonly string[],
): Route {
  return {
    ...route,
    handle: async (exchange) =>
      isOwnHost(exchange.request.headers.host, listed()) ? await route.handle(exchange) : misdirected,
  };
}

const misdirected: HttpResponse = textResponse(
  421,
  "this is told under Drover's own host names only: add the one that you have used to `hosts` in the configuration",
);

export function isOwnHost(header: string | undefined, listed: readonly string[]): boolean {
  const host = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/
    .exec(header ?? "")?.[1]
    ?.toLowerCase()
    .replace(/\.$/, "");
  if (host === undefined || host === "") return false;
  const isAddress = isIP(host) === 4 || (host.startsWith("[") && isIP(host.slice(1, -1)) === 6);
  // Names without a dot, as of containers, are those of the local network.
  return (
    isAddress ||
    !host.includes(".") ||
    host.endsWith(".localhost") ||
    listed.some((name) => name.toLowerCase() === host)
  );
}
