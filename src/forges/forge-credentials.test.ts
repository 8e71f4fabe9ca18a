import { expect, it } from "vitest";
import { makeSecret } from "#config/secret.ts";
import { throttleScopeOf } from "#forges/forge-credentials.ts";

it("is paced for each owner where an App finds its installations by itself", () => {
  const privateKey = makeSecret("key");
  expect(throttleScopeOf({ kind: "app", id: "1", privateKey, installation: null })).toBe("by_owner");
  expect(throttleScopeOf({ kind: "app", id: "1", privateKey, installation: 17 })).toBe("one");
  expect(throttleScopeOf({ kind: "token", token: privateKey })).toBe("one");
});
