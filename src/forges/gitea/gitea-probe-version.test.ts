import { describe, expect, it } from "vitest";
import { isFrom, readVersion } from "#forges/gitea/gitea-probe.ts";

describe("the version of a server", () => {
  it.each([
    ["1.21.8", { product: "gitea", major: 1, minor: 21 }],
    ["v1.27.3", { product: "gitea", major: 1, minor: 27 }],
    ["1.26.0+dev-123-gabcdef0", { product: "gitea", major: 1, minor: 26 }],
    ["11.0.1+gitea-1.22.0", { product: "forgejo", major: 1, minor: 22 }],
    ["7.0.0-dev-1+gitea-1.21.0", { product: "forgejo", major: 1, minor: 21 }],
  ])("%s is read", (text, version) => {
    expect(readVersion(text)).toEqual(version);
  });

  it.each(["", "main", "development", "x1.22"])("%j is none", (text) => {
    expect(readVersion(text)).toBeUndefined();
  });

  it("is compared number by number, not letter by letter", () => {
    const version = { product: "gitea", major: 1, minor: 9 } as const;
    expect(isFrom(version, 1, 16)).toBe(false);
    expect(isFrom(version, 1, 9)).toBe(true);
    expect(isFrom({ ...version, major: 2, minor: 0 }, 1, 27)).toBe(true);
  });
});
