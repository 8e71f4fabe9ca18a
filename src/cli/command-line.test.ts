import { readFile } from "node:fs/promises";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { describe, expect, it } from "vitest";
import { QueueRetryRequest } from "#app/queue/queue-api.ts";
import { runCommandLine } from "#cli/command-line.ts";
import { makeProgram } from "#cli/commands.ts";
import type { Terminal } from "#cli/terminal.ts";
import { CostSort } from "#core/budget/cost-overview.ts";

const quietTerminal: Terminal = {
  out: () => undefined,
  err: () => undefined,
  readFile: async () => "",
  sleep: async () => {},
  isInteractive: false,
  columns: undefined,
  hasColours: false,
  searchPath: process.env["PATH"] ?? "",
  env: {},
};

async function run(argv: readonly string[], files: Readonly<Record<string, string>> = {}, columns?: number) {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    ...quietTerminal,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readFile: async (path) => files[path] ?? (await readFile(path, "utf8")),
    columns,
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
      "drover: unknown option '--observaton'\n(Did you mean --observation?)\nSee drover explain --help.\n",
    ],
    ["a word that is neither", ["explain", "acme/tools"], "acme/tools: expected the address of a pull"],
    ["two pulls", ["explain", "https://git.example/a/b/pulls/1", "--pull", "2"], "one pull is enough"],
    ["a word where none is expected", ["demo", "12"], "too many arguments for 'demo'"],
    [
      "a value that looks like an option",
      ["review", "--output", "--json"],
      "option '--output <file>' needs a value. If --json is meant, write --output=--json.\nSee drover review --help.\n",
    ],
    ["an unknown command", ["explan"], "unknown command 'explan'\n(Did you mean explain?)\nSee drover --help.\n"],
    ["an unknown command of two words", ["queue", "retyr"], "unknown command 'retyr'\n(Did you mean retry?)\n"],
    ["a name of every object", ["constructor"], "unknown command 'constructor'"],
    [
      "a queue that there is not",
      ["queue", "retry", "--forge", "f", "--key", "k", "--queue", "ticks"],
      "There is: tick, talk, review, session, landing, poll.\n(Did you mean tick?)\n",
    ],
    [
      "an option of a command and of the one below it",
      ["queue", "retry", "--forge", "f", "--queue", "tick", "--key", "k", "--data", "no/such"],
      "there is no database of Drover in no/such",
    ],
    ["a missing option", ["eval"], "required option '--set <dir>' not specified"],
    [
      "a value that is not of the list",
      ["run", "--forge", "gitub"],
      "argument 'gitub' is invalid. There is: github, gitea, sandbox.\n(Did you mean github?)\nSee drover run --help.\n",
    ],
    ["a value like none of the list", ["review", "--format=xml"], "There is: text, json, markdown, sarif.\nSee"],
    ["a bound that is none", ["review", "--fail-on", "all"], "There is: blocking, problem, never.\nSee"],
    [
      "a forge that nothing behaves like",
      ["sandbox", "--manner", "gitlab"],
      "There is: github, gitea.\n(Did you mean github?)",
    ],
    ["an unknown shell", ["completions", "zhs"], "There is: bash, zsh, fish.\n(Did you mean zsh?)"],
  ])("tells what is wrong with %s", async (_, argv, words) => {
    const { err, code } = await run(argv, { "f.json": "{" });
    expect(err).toContain(words);
    expect(err).toMatch(/^drover: /);
    expect(code).toBe(2);
  });
});

describe("drover", () => {
  it("lists its commands in groups, when asked and when called with nothing", async () => {
    const { out, code } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Usage: drover [options] [command]

      Takes a pull request from opened to merged.

      Options:
        --version    print the version
        -h, --help   print this page

      Work on pulls:
        serve        run the server: take webhooks, poll, and work on every pull
        run          do everything that can be done for one pull now, and end

      Look at a pull:
        explain      say what a pull means and what Drover would do about it
        watch        print each change of a pull until it is merged or closed
        wait         wait until reviewers have decided about a pull

      Review changes:
        review       review a change on this machine
        eval         measure a reviewer on changes whose problems are known

      Set up and try out:
        init         make the workflow, the App or the webhooks that Drover needs
        demo         show one pull from opened to merged; no key, no account
        sandbox      run a forge on this machine to try \`drover serve\` on

      Look after a server:
        queue        show what waits, what runs and what was set aside (queue retry)
        cost         show what models have cost
        db           copy the database to a file or from one (db export, db import)

      About Drover:
        completions  print a script that completes commands and options in your shell
        version      print the version

      Commands:
        help         print the page of a command
      "
    `);
    expect(await run([])).toEqual({ code: 2, out, err: "" });
    expect(await run(["help"])).toEqual({ code: 0, out, err: "" });
  });

  it("describes a command with its options, defaults, choices, variables and examples", async () => {
    const { out, code } = await run(["cost", "--help"]);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Usage: drover cost [options]

      Shows what models have cost. Asks the running server where there is one.

      Options:
        --by <what>          what the costs are added up by (choices: "pull",
                             "repository", "role", "model", "day", default: "pull")
        --since <time>       a span such as 12h or 7d, or a day such as 2026-11-01
                             (default: "7d")
        --repo <owner/name>  of this repository alone
        --pull <number>      of this pull alone; needs --repo
        --data <dir>         the folder of the embedded database (default:
                             drover-data, or the PostgreSQL of DATABASE_URL)
        --json               print JSON for programs
        -h, --help           print this page

      Environment:
        DATABASE_URL  a PostgreSQL database; used where --data is not given
      "
    `);
    expect((await run(["help", "cost"])).out).toBe(out);
    expect((await run(["sandbox", "-h"])).out).toContain("\nExamples:\n  drover sandbox --webhooks");
  });

  it("names the commands below a command", async () => {
    expect((await run(["db", "--help"])).out).toMatch(/\n {2}export +write [^]*\n {2}import +read /);
    expect((await run(["queue", "--help"])).out).toMatch(/\n {2}retry +put back/);
    expect((await run(["queue", "retry", "--help"])).out).toMatch(/^Usage: drover queue retry /);
  });

  it.each([60, 80, 300])("keeps its lines within a terminal of %i columns, and within 100", async (columns) => {
    for (const { path } of everyCommand()) {
      const { out } = await run([...path, "--help"], {}, columns);
      // Examples are for copying, and a usage line of one word cannot be wrapped.
      const [page = ""] = out.split("\nExamples:");
      const tooLong = page.split("\n").filter((line) => line.length > Math.min(columns, 100));
      expect({ path, tooLong }).toEqual({ path, tooLong: [] });
    }
  });

  it("has words for every command, option and argument", () => {
    for (const { path, command } of everyCommand()) {
      const described = [...command.options, ...command.registeredArguments].map(({ description }) => description);
      const about = [command.description(), ...(path.length === 0 ? [] : [command.summary()]), ...described];
      expect({ path, empty: about.filter((words) => words.trim() === "") }).toEqual({ path, empty: [] });
    }
  });

  it("knows every value of the lists that are kept elsewhere", () => {
    expect(choicesOf("cost", "--by")).toEqual(CostSort.options);
    expect(choicesOf("queue retry", "--queue")).toEqual(QueueRetryRequest.shape.queue.options);
  });

  it("tells of a wrong call of a review in one line", async () => {
    expect(await run(["review", "--staged", "--base", "main", "--no-color"])).toMatchObject({
      code: 2,
      err: "drover: --base, --diff, --staged and --range exclude each other.\n",
    });
  });

  it.each([[["--version"]], [["version"]]])("tells its version (%j)", async (argv) => {
    expect(await run(argv)).toEqual({ code: 0, out: expect.stringMatching(/^drover \d+\.\d+\.\d+\n$/), err: "" });
  });
});

function choicesOf(name: string, long: string): readonly string[] | undefined {
  const found = everyCommand().find(({ path }) => path.join(" ") === name);
  return found?.command.options.find((option) => option.long === long)?.argChoices;
}

interface FoundCommand {
  readonly path: readonly string[];
  readonly command: CommandUnknownOpts;
}

function everyCommand(): readonly FoundCommand[] {
  const walk = (command: CommandUnknownOpts, path: readonly string[]): readonly FoundCommand[] => [
    { path, command },
    ...command.commands.flatMap((one) => walk(one, [...path, one.name()])),
  ];
  return walk(
    makeProgram(quietTerminal, () => undefined),
    [],
  );
}

function merge(base: unknown, change: unknown): unknown {
  if (!isObject(base) || !isObject(change)) return change;
  const keys = new Set([...Object.keys(base), ...Object.keys(change)]);
  return Object.fromEntries([...keys].map((key) => [key, key in change ? merge(base[key], change[key]) : base[key]]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
