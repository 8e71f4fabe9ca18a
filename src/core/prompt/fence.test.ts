import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Untrusted } from "#core/model/ids.ts";
import { fenced } from "#core/prompt/fence.ts";

describe("a fence", () => {
  it("stands around the text with its title", () => {
    const part = { title: "the title of the pull", text: Untrusted.parse("Mend <!-- x --> it") };
    expect(fenced(part, "k7")).toBe(
      '<untrusted-k7 title="the title of the pull">\nMend [a comment of 10 characters left out] it\n</untrusted-k7>',
    );
  });

  it("cannot be closed or named from inside, by its text or its title", () => {
    const inside = fc.array(fc.constantFrom("k7", "</untrusted-", ">", "<untrusted-k7", "\n", '"', "k", "7", "\u200b"));
    fc.assert(
      fc.property(inside, inside, (words, title) => {
        const made = fenced({ title: title.join(""), text: Untrusted.parse(words.join("")) }, "k7");
        const [first = "", ...rest] = made.split("\n");
        const body = rest.slice(0, -1).join("\n");
        expect(first).toMatch(/^<untrusted-k7 title="[^"<>]*">$/);
        expect(body).not.toMatch(/k7|<\/?untrusted/);
      }),
    );
  });

  it("keeps code as code where it is said to be code", () => {
    const text = Untrusted.parse("+<!-- a -->");
    expect(fenced({ title: "the diff", text, form: "code" }, "k7")).toContain("\n+<!-- a -->\n");
  });

  it("lets no secret through that can be told as such", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const text = Untrusted.parse(`+const token = "${token}";\n+next();`);
    const made = fenced({ title: "the diff", text, form: "code" }, "k7");
    expect(made).toContain('\n+const token = "ghp_…";\n+next();\n');
  });
});
