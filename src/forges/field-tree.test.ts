import { expect, it } from "vitest";
import { fieldTree } from "#forges/field-tree.ts";

it("paths with the same beginning share it", () => {
  expect(fieldTree(["action", "repository.id", "issue.user.id", "repository.full_name"])).toEqual([
    { name: "action", fields: [] },
    {
      name: "repository",
      fields: [
        { name: "id", fields: [] },
        { name: "full_name", fields: [] },
      ],
    },
    { name: "issue", fields: [{ name: "user", fields: [{ name: "id", fields: [] }] }] },
  ]);
});
