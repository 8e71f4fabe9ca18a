import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Untrusted } from "#core/model/ids.ts";
import type { FeedbackItem, FeedbackPlace, SessionOutcome } from "#ports/agent.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import { fileBytesMax } from "#sessions/agents/suggestions/workspace-file.ts";

let folder = "";
let workspace = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drover-suggestions-"));
  workspace = join(folder, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(workspace, "src/a.ts"), "one\ntwo\nthree\n", { mode: 0o755 });
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function proven(first: number, ...lines: readonly string[]): FeedbackPlace["lines"] {
  return { kind: "proven", first, last: first + lines.length - 1, text: lines.join("\n") };
}

function remark(id: string, place: Partial<FeedbackPlace> | null, body: string): FeedbackItem {
  const whole = place === null ? null : { path: "src/a.ts", lines: proven(2, "two"), ...place };
  return { id, login: "rita", url: null, body: Untrusted.parse(body), place: whole };
}

function suggestion(...lines: readonly string[]): string {
  return ["Better:", "```suggestion", ...lines, "```"].join("\n");
}

function run(feedback: readonly FeedbackItem[], signal = new AbortController().signal): Promise<SessionOutcome> {
  const limits = { timeMsMax: 60_000, costMicroUsdMax: 0 };
  return suggestionsAgent().run({ workspace, prompt: [], feedback, limits, signal });
}

function textOf(path: string): string {
  return readFileSync(join(workspace, path), "utf8");
}

describe("the agent for suggestions", () => {
  it("applies what reviewers suggest, in several files, and says what it did", async () => {
    writeFileSync(join(workspace, "b.md"), "x\r\ny");
    const feedback = [
      remark("1", { lines: proven(3, "three") }, suggestion("3")),
      remark("2", { path: "b.md", lines: proven(2, "y") }, suggestion("z")),
      remark("3", { lines: proven(1, "one") }, suggestion()),
    ];
    expect(await run(feedback)).toEqual({
      kind: "changed",
      summary: "Applied 3 suggestions in `src/a.ts` and `b.md`.",
      addressed: ["1", "2", "3"],
      notAddressed: [],
      costMicroUsd: 0,
    });
    expect([textOf("src/a.ts"), textOf("b.md")]).toEqual(["two\n3\n", "x\r\nz"]);
  });

  it("keeps the mode of a file", async () => {
    await run([remark("1", {}, suggestion("2"))]);
    expect(statSync(join(workspace, "src/a.ts")).mode & 0o777).toBe(0o755);
  });

  it("says of each remark why it was left", async () => {
    const feedback = [
      remark("words", {}, "Please rename this."),
      remark("choice", {}, `${suggestion("a")}\n${suggestion("b")}`),
      remark("pull", null, suggestion("a")),
      remark("outdated", { lines: { kind: "outdated" } }, suggestion("a")),
      remark("removed", { lines: { kind: "old_side" } }, suggestion("a")),
      remark("unproven", { lines: { kind: "unproven" } }, suggestion("a")),
      remark("stale", { lines: proven(2, "zwei") }, suggestion("a")),
      remark("good", {}, suggestion("2")),
      remark("later", { lines: proven(1, "one", "two", "three") }, suggestion("a")),
      remark("gone", { path: "src/b.ts" }, suggestion("a")),
    ];
    const outcome = await run(feedback);
    expect(outcome).toMatchObject({ kind: "changed", addressed: ["good"] });
    const left = outcome.kind === "changed" ? outcome.notAddressed : [];
    expect(left.filter(({ isRefused }) => isRefused !== true).map(({ id }) => id)).toEqual(["words"]);
    expect(left.map(({ id, why }) => `${id}: ${why}`)).toMatchInlineSnapshot(`
      [
        "words: It holds no suggestion block.",
        "choice: It holds several different suggestions; somebody has to choose.",
        "pull: It is not about lines of a file.",
        "outdated: The lines it is about have been changed since.",
        "removed: It is about lines that this pull removes, so there is nothing to replace.",
        "unproven: It cannot be proven which lines of the branch it is about.",
        "stale: The lines read differently from when it was made.",
        "later: An earlier suggestion changes the same lines.",
        "gone: The file is not there any more.",
      ]
    `);
  });

  it("has nothing to do where nothing can be applied", async () => {
    expect(await run([remark("1", {}, suggestion("two"))])).toMatchObject({
      kind: "nothing_to_do",
      notAddressed: [{ id: "1", why: "The lines read like this already." }],
    });
    expect(await run([])).toMatchObject({ kind: "nothing_to_do", notAddressed: [] });
  });

  it("changes nothing once it was cancelled", async () => {
    expect(await run([remark("1", {}, suggestion("2"))], AbortSignal.abort())).toMatchObject({ kind: "failed" });
    expect(textOf("src/a.ts")).toBe("one\ntwo\nthree\n");
  });
});

describe("a path", () => {
  it.each([
    "../outside",
    "/etc/hosts",
    "src/../../outside",
    "src//a.ts",
    "./src/a.ts",
    ".git/config",
    "src\\a.ts",
    "",
    "C:x",
    "a\0b",
  ])("like %j is not followed", async (path) => {
    writeFileSync(join(folder, "outside"), "one\ntwo\n");
    expect(await run([remark("1", { path }, suggestion("2"))])).toMatchObject({
      notAddressed: [{ why: "Its path does not name a file of the repository." }],
    });
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("one\ntwo\n");
  });

  it("through a link is not followed, be it the file or a folder", async () => {
    writeFileSync(join(folder, "outside"), "one\ntwo\n");
    symlinkSync(join(folder, "outside"), join(workspace, "link"));
    symlinkSync(folder, join(workspace, "up"));
    symlinkSync("src", join(workspace, "inside"));
    const feedback = ["link", "up/outside", "inside/a.ts"].map((path) => remark(path, { path }, suggestion("2")));
    const outcome = await run(feedback);
    expect(outcome).toMatchObject({ kind: "nothing_to_do" });
    expect(outcome.kind === "nothing_to_do" && outcome.notAddressed.map(({ why }) => why)).toEqual(
      feedback.map(() => "The file is a link, or lies behind one."),
    );
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("one\ntwo\n");
  });

  it.each([
    ["a folder", "src", "The file is not there any more."],
    ["a file that is not text", "b.bin", "The file is not UTF-8 text."],
    ["a file that holds zeros", "c.bin", "The file is not UTF-8 text."],
    ["a file beyond the limit", "large.txt", "The file is too large to be edited this way."],
  ])("to %s is refused", async (_name, path, why) => {
    writeFileSync(join(workspace, "b.bin"), Buffer.from([0x61, 0x0a, 0xff, 0x0a]));
    writeFileSync(join(workspace, "c.bin"), Buffer.from([0x61, 0x0a, 0x00, 0x0a]));
    writeFileSync(join(workspace, "large.txt"), "a\n".repeat(fileBytesMax / 2 + 1));
    expect(await run([remark("1", { path }, suggestion("2"))])).toMatchObject({ notAddressed: [{ why }] });
  });
});
