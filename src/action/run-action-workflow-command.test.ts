import * as fc from "fast-check";
import { expect, it } from "vitest";
import { workflowCommand } from "#action/run-action.ts";

it("a workflow command names a file and a line and escapes its message", () => {
  expect(workflowCommand("error", { file: "a,b:c.ts", line: 3, title: undefined }, "50% of it\nis wrong")).toBe(
    "::error file=a%2Cb%3Ac.ts,line=3::50%25 of it%0Ais wrong\n",
  );
});

it("a workflow command stays one command on one line, whatever people wrote", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (file, message) => {
      const line = workflowCommand("error", { file }, message);
      const found = /^::error file=([^,:\r\n]*)::([^\r\n]*)\n$/.exec(line);
      expect(found).not.toBeNull();
      const [, written = "", said = ""] = found ?? [];
      expect([unescape(written), unescape(said)]).toEqual([file, message]);
    }),
  );
});

/** As the runner does it. */
function unescape(text: string): string {
  return text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
}
