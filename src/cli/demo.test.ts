import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "#cli/command-line.ts";

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(argv: readonly string[], searchPath = process.env["PATH"] ?? ""): Promise<Said> {
  const said = { out: "", err: "" };
  const code = await runCommandLine(["demo", ...argv], {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readFile: async (path) => await readFile(path, "utf8"),
    sleep: async () => {
      throw new Error("nobody waits in a test");
    },
    isInteractive: false,
    columns: 80,
    hasColours: false,
    searchPath,
    env: {},
  });
  return { ...said, code };
}

let place = "";

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "drover-demo-test-"));
});

afterAll(async () => {
  await rm(place, { recursive: true, force: true });
});

/** Plain git, on what the demo has left. */
function git(...args: readonly string[]): string {
  const repository = join(place, "demo/forge/acme/weather.git");
  return execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trim();
}

/** Some 800 runs of git: seconds, or a good deal more on a machine that is busy with other tests. */
const runMsMax = 300_000;

describe("drover demo", () => {
  let told: Said;

  beforeAll(async () => {
    told = await run(["--fast", "--folder", join(place, "demo")]);
  }, runMsMax);

  it("ends well, without a word of trouble", () => {
    expect({ code: told.code, err: told.err }).toEqual({ code: 0, err: "" });
  });

  it("shows every scene, with what Drover saw, decided and did, in this order", () => {
    const moments = [
      "1. ada opens a pull",
      "post the general review: request_changes",
      "wrote a review that asks for changes, with 2 remarks on lines",
      "2. ada switches reviews off",
      'answer the command "disable-reviews": obeyed',
      "3. ada pushes a test while reviews are off",
      "is not reviewed",
      "4. ada switches reviews on again",
      'answer the command "enable-reviews": obeyed',
      "start the general review of",
      "5. rita tells Drover to fix it by applying its suggestions",
      "start a fixing session on",
      "drover pushed",
      "settings = yaml.safe_load(stream)",
      "6. Drover's own push is up for review",
      "post the general review: approve",
      "close the thread of finding",
      "7. ada asks for the status",
      "⏳ Approval 1 approval of this head needed",
      "8. rita gives a thumb",
      "approval approved by rita",
      "9. ada pushes once more",
      "note the approval of rita does not count: it was given for an earlier head",
      "10. the build is green",
      "merge waiting for approval did",
      "11. rita has read the new head, and gives her thumb again",
      "merge exactly",
      "drover merged",
      "Merged. main is at",
    ];
    // However the lines were broken.
    const words = told.out.replace(/\s+/g, " ");
    let from = 0;
    for (const moment of moments) {
      const found = words.indexOf(moment, from);
      expect(found, `"${moment}" after "${words.slice(Math.max(0, from - 60), from)}"`).not.toBe(-1);
      from = found + moment.length;
    }
  });

  it("fits into the terminal", () => {
    // Paths and commands are left whole, to be copied.
    const lines = told.out.split("\n").filter((line) => !line.includes(place));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it("leaves a main whose tree is the head that was approved last, by a merge of Drover's", () => {
    const head = git("rev-parse", "refs/heads/settings");
    expect(git("rev-parse", "main^{tree}")).toBe(git("rev-parse", `${head}^{tree}`));
    expect(git("rev-parse", "main^2")).toBe(head);
    expect(git("log", "-1", "--format=%cn", "main")).toBe("drover");
    expect(git("log", "-1", "--format=%an %s", head)).toBe("ada Tell about the settings");
    expect(told.out).toContain(`remember that the approval is for ${head.slice(0, 10)}`);
    expect(told.out.match(/merge exactly/g)).toHaveLength(1);
  });

  it("leaves Drover's own commit in the history, which repaired what it had found", () => {
    const [fix = ""] = git("log", "--author=Drover", "--no-merges", "--format=%H", "main").split("\n");
    expect(git("log", "-1", "--format=%B", fix)).toContain("fixing session of Drover");
    expect(git("show", `${fix}^:weather/settings.py`)).toContain("breakpoint()");
    const repaired = git("show", "main:weather/settings.py");
    expect(repaired).toContain("yaml.safe_load(stream)");
    expect(repaired).not.toContain("breakpoint()");
  });

  it("says where the history, the ledger and the log are, and they are there", async () => {
    const command = /git -C (\S+) log --graph --oneline/.exec(told.out);
    expect(command?.[1]).toBe(join(place, "demo/forge/acme/weather.git"));
    const [ledger, history, log] = ["ledger.json", "forge.json", "log.jsonl"].map((name) => join(place, "demo", name));
    for (const file of [ledger, history, log]) expect(told.out).toContain(file);
    const effects: unknown = JSON.parse(await readFile(ledger ?? "", "utf8"));
    expect(effects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "merge", state: expect.objectContaining({ kind: "done" }) }),
      ]),
    );
    expect(await readFile(log ?? "", "utf8")).not.toMatch(/"level":"(?:warn|error)"/);
  });
});

describe("a demo that cannot be", () => {
  it("touches no folder that holds something", async () => {
    await writeFile(join(place, "precious"), "");
    const { code, out, err } = await run(["--folder", place]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("is not empty: choose an empty folder");
  });

  it("ends with 1 and says so where there is no git, to machines as well", async () => {
    const people = await run(["--fast", "--folder", join(place, "one")], place);
    expect(people.code).toBe(1);
    expect(people.err).toContain("the pull was not merged: ");
    const machines = await run(["--json", "--folder", join(place, "two")], place);
    expect(machines).toMatchObject({ code: 1, out: "[]\n", err: expect.stringContaining("the pull was not merged: ") });
  });
});
