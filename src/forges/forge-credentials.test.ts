import { expect, it } from "vitest";
import { makeSecret } from "#config/secret.ts";
import { throttleScopeOf } from "#forges/forge-credentials.ts";

it("an App that finds its installations by itself is paced for each owner", () => {
  const privateKey = makeSecret("key");
  expect(throttleScopeOf({ kind: "app", id: "1", privateKey, installation: null })).toBe("by_owner");
  expect(throttleScopeOf({ kind: "app", id: "1", privateKey, installation: 17 })).toBe("one");
  expect(throttleScopeOf({ kind: "token", token: privateKey })).toBe("one");
});
