import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "#cli/command-line.ts";
import type { Terminal } from "#cli/terminal.ts";

async function run(argv: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readFile: async (path) => files[path] ?? (await readFile(path, "utf8")),
    sleep: async () => {},
    isInteractive: false,
    columns: undefined,
    hasColours: false,
    searchPath: process.env["PATH"] ?? "",
    env: {},
  };
  const code = await runCommandLine(argv, terminal);
  return { ...said, code };
}

const example = "docs/examples/observation.json";

describe("drover explain", () => {
  it("says what a saved observation means, what is missing and what Drover would do", async () => {
    const { out, err, code } = await run(["explain", "--observation", example]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatchInlineSnapshot(`
      "Situation
        pull          acme/tools#12, open
        head          8d3f4c1be2 on main, number 2 seen
        reviews       on (repository)
          general     not reviewed
        commands      status
        conversation  0 disputes, 0 questions, 0 unread
        findings      0 blocking, 0 open, 0 known
        feedback      0 remarks wait
        fixing        off: not switched on
        approval      pending: 1 approval of this head needed
        hold          none
        gate          pending: Reviewing
        merge         waiting for gate, approval

      Flight plan (turn: Drover)
        [x] Open          open
        [x] Read in full  yes
        [x] Ready         not a draft
        [ ] Review        Reviewing
        [ ] Approval      1 approval of this head needed
        [x] Checks        1 green
        [x] Mergeable     no conflict
        [x] No hold       not held
        [x] Merge wanted  as soon as all is met
        Note: the approval of \`rita\` does not count: it was given for an earlier head.

      Plan
         1. remember head 8d3f4c1be2 on main
         2. answer the command "status": obeyed
         3. start the general review of 8d3f4c1be2 (new head)
         4. set the gate of 8d3f4c1be2 to pending: Reviewing
         5. tell that the approval went from nothing to pending
         6. write the managed comment
         7. check again at 2026-01-05T10:30:30Z
      "
    `);
  });

  it("says the same to a machine", async () => {
    const { out, code } = await run(["explain", "--observation", example, "--json"]);
    const told: unknown = JSON.parse(out);
    expect(code).toBe(0);
    expect(told).toMatchObject({
      situation: { gate: { state: "pending" }, approval: { status: "pending" } },
      flightPlan: { turn: "drover" },
      plan: [
        { kind: "record_head" },
        { kind: "acknowledge" },
        { kind: "start_review" },
        { kind: "set_gate" },
        {},
        {},
        {},
      ],
    });
  });

  it.each([
    ["a field of the wrong kind", { pull: { number: "twelve" } }, "pull.number: "],
    ["a time that is none", { observedAt: "yesterday" }, "observedAt: expected a time such as"],
    ["a short commit id", { pull: { head: { sha: "8d3f4c1" } } }, "pull.head.sha: expected a full commit id"],
    ["a field that does not exist", { comment: [] }, 'the file: unknown field "comment"'],
    ["an unknown word", { reactions: [{ content: "thumb" }] }, "reactions[0].content: "],
  ])("names the field for %s", async (_, change, words) => {
    const good: unknown = JSON.parse(await readFile(example, "utf8"));
    const file = JSON.stringify(merge(good, change));
    const { out, err, code } = await run(["explain", "--observation", "f.json"], { "f.json": file });
    expect({ out, code }).toEqual({ out: "", code: 2 });
    expect(err).toContain(words);
  });

  it.each([
    [
      "no file named",
      ["explain"],
      "explain needs the address of a pull, --repo owner/name --pull N, or --observation FILE.json",
    ],
    ["a file that is not there", ["explain", "--observation", "no/such.json"], "cannot read no/such.json"],
    [
      "a file that is not JSON",
      ["explain", "--observation", "f.json"],
      "f.json is not a readable observation:\n  not JSON",
    ],
    [
      "an unknown option",
      ["explain", "--observaton", "x"],
      "usage: drover explain (ADDRESS | --repo owner/name --pull N | --observation FILE.json)",
    ],
    ["a word that is neither", ["explain", "acme/tools"], "acme/tools: expected the address of a pull"],
    ["two pulls", ["explain", "https://git.example/a/b/pulls/1", "--pull", "2"], "One pull is enough"],
    ["a word where none is expected", ["queue", "12"], "Unexpected argument '12'"],
    ["a value that looks like an option", ["review", "--budget", "-1"], "argument is ambiguous.\nusage: drover review"],
    ["an unknown command", ["explan"], 'there is no command "explan"'],
    ["a name of every object", ["constructor"], 'there is no command "constructor"'],
  ])("tells what is wrong with %s", async (_, argv, words) => {
    const { err, code } = await run(argv, { "f.json": "{" });
    expect(err).toContain(words);
    expect(code).toBe(2);
  });
});

describe("drover", () => {
  it("lists its commands when asked for help, and as an error when called with nothing", async () => {
    expect(await run(["help"])).toMatchObject({ code: 0, out: expect.stringContaining("drover explain") });
    expect(await run([])).toMatchObject({ code: 2, out: expect.stringContaining("drover demo") });
    expect(await run(["demo", "--help"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("drover demo [--fast] [--json] [--folder DIR]"),
    });
  });

  it("tells of all commands that begin with the same word", async () => {
    expect((await run(["db", "--help"])).out).toMatch(/^drover db export [^]*\ndrover db import /);
    expect((await run(["queue", "--help"])).out).toMatch(/^drover queue \[[^]*\ndrover queue retry /);
    expect((await run(["queue", "retry", "--help"])).out).toMatch(/^drover queue retry /);
  });

  it("tells how a change on this machine is reviewed, and what is wrong with such a call", async () => {
    expect(await run(["review", "--help"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("drover review [--base REF | --diff FILE | --staged | --range A..B]"),
    });
    expect(await run(["review", "--staged", "--base", "main", "--no-color"])).toMatchObject({
      code: 2,
      err: "drover: --base, --diff, --staged and --range exclude each other.\n",
    });
  });

  it("tells its version", async () => {
    expect((await run(["--version"])).out).toMatch(/^drover \d+\.\d+\.\d+\n$/);
  });
});

function merge(base: unknown, change: unknown): unknown {
  if (!isObject(base) || !isObject(change)) return change;
  const keys = new Set([...Object.keys(base), ...Object.keys(change)]);
  return Object.fromEntries([...keys].map((key) => [key, key in change ? merge(base[key], change[key]) : base[key]]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
