import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allRules } from "#reviewers/rules/all-rules.ts";
import { fillPage, pageParts } from "#testing/rules-page.ts";

const path = join(import.meta.dirname, "../../docs/rules-reviewer.md");
describe("the page about the rules", () => {
  it("says what the rules say; UPDATE_PAGES=1 npx vitest run test/testing/rules-page.test.ts brings it up to date", () => {
    const page = readFileSync(path, "utf8");
    const filled = fillPage(page, pageParts(allRules));
    if (process.env["UPDATE_PAGES"] === "1") writeFileSync(path, filled ?? page);
    expect(readFileSync(path, "utf8")).toBe(filled);
  });

  it("is noticed when it does not", () => {
    const page = "<!-- rules -->\nold\n<!-- /rules -->\n<!-- limits -->\n<!-- /limits -->\nend";
    const filled = fillPage(page, new Map([["rules", "new"]]));
    expect(filled).toBe("<!-- rules -->\n\nnew\n\n<!-- /rules -->\n<!-- limits -->\n<!-- /limits -->\nend");
    expect(fillPage("no marks", new Map([["rules", "new"]]))).toBeUndefined();
  });
});
