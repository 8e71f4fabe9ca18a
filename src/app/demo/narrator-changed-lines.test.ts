import { expect, it } from "vitest";
import { changedLines } from "#app/demo/narrator.ts";

const diff = `diff --git a/old.py b/src/new name.py
index 111..222 100644
--- a/old.py
+++ b/src/new name.py
@@ -1,3 +1,3 @@
 kept
-gone
+came
+
--- looks like a header
`;

it("a shown change has its removed and added lines under the name of its file", () => {
  expect(changedLines(diff)).toEqual(["src/new name.py:", "- gone", "+ came", "- -- looks like a header"]);
});

it("a long change is cut, and the cut says how many lines are missing", () => {
  const long = `diff --git a/x b/x\n@@ -0,0 +1,30 @@\n${"+line\n".repeat(30)}`;
  const lines = changedLines(long);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("… and 11 lines more");
});
