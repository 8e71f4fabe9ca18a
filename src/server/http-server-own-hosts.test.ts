import { describe, expect, it } from "vitest";
import { isOwnHost } from "#server/http-server.ts";

describe("a host that a request names", () => {
  it.each([
    "localhost",
    "localhost:4170",
    "127.0.0.1:4170",
    "10.1.2.3",
    "[::1]:4170",
    "drover:4170",
    "a.localhost",
    "drover.example",
    "DROVER.example.:80",
  ])("is ours: %s", (host) => expect(isOwnHost(host, ["drover.example"])).toBe(true));

  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:4170",
    "drover.example.evil.example",
    "127.0.0.1.evil.example",
    "[::1].evil.example",
    "localhost.evil.example",
    ":4170",
  ])("is not ours: %s", (host) => expect(isOwnHost(host, ["drover.example"])).toBe(false));
});
