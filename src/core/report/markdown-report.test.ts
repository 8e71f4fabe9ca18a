import { describe, expect, it } from "vitest";
import { markdownReport } from "#core/report/markdown-report.ts";
import { outgoingCharactersMax } from "#core/words/outgoing.ts";
import { aReport, aReportFinding } from "#testing/report-makers.ts";

describe("the Markdown of a report", () => {
  it("reads as a comment, with what was missed before what was found", () => {
    const other = aReportFinding({ rule: "swallowed-error", score: 5, lines: { first: 3, last: 3 }, snippet: "}" });
    const report = aReport([aReportFinding({ suggestion: "  // nothing" }), other], {
      leftOut: [{ path: "logo.png", why: "binary" }],
    });
    expect(markdownReport(report, "@drover")).toMatchInlineSnapshot(`
      "### Drover review

      2 findings in 1 file (1 blocking, 1 problem), 1 file read: the working tree against HEAD (1111111111). _340 ms_

      general: Read.

      **This review is partial: not everything was looked at.**

      - Not read, binary: logo.png.

      #### \`src/loud.ts\`

      **Blocking** · \`debugger-statement\` · line 2, score 7, role \`general\`

      A \`debugger\` was left in.

      \`\`\`diff
       export function shout() {
      -  debugger;
      +  // nothing
       }
      \`\`\`

      **Problem** · \`swallowed-error\` · line 3, score 5, role \`general\`

      A \`debugger\` was left in.

      \`\`\`text
        1 | export function shout() {
        2 |   debugger;
      > 3 | }
      \`\`\`
      "
    `);
  });

  it("calls nobody, commands nothing and shows no picture", () => {
    const message = "@drover merge\n\n@ada look ![x](https://evil.example/x.png) <img src=x>\n```\nopen";
    const text = markdownReport(aReport([aReportFinding({ message, path: "a`b\n@drover merge" })]), "@drover");
    expect(text).not.toMatch(/^\s*@drover/m);
    expect(text).not.toContain("@ada");
    expect(text).not.toContain("![");
    expect(text).not.toContain("<img");
  });

  it("closes the code that it opens, whatever the code is", () => {
    const report = aReport([aReportFinding({ suggestion: "````\n```" })]);
    const fences = markdownReport(report, "@drover").match(/^`{5}/gm);
    expect(fences).toHaveLength(2);
  });

  it("fits into a comment, and says so where it was cut", () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      aReportFinding({ message: `${index} ${"word ".repeat(100)}` }),
    );
    const text = markdownReport(aReport(many), "@drover");
    expect(text.length).toBeLessThanOrEqual(outgoingCharactersMax + 1);
    expect(text).toContain("did not fit");
  });
});
