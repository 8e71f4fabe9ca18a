import { expect, it } from "vitest";
import { pacesOf } from "#app/forge/forge-key.ts";
import { makeSecret } from "#config/secret.ts";

it("is paced for each owner where an App finds its installations by itself", () => {
  const privateKey = makeSecret("key");
  expect(pacesOf({ kind: "app", id: "1", privateKey, installation: null })).toBe("by_owner");
  expect(pacesOf({ kind: "app", id: "1", privateKey, installation: 17 })).toBe("one");
  expect(pacesOf({ kind: "token", token: privateKey })).toBe("one");
});
