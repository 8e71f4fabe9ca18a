import { describe, expect, it } from "vitest";
import { shellInjection } from "#reviewers/rules/code/shell-injection.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

const fromNode = 'import { exec } from "node:child_process";';

describe("shell-injection", () => {
  it.each([
    ["a.ts", ["const log = execSync(`git log ${ref}`);"], "1"],
    ["a.ts", ['child_process.exec("rm " + path);'], "1"],
    ["a.ts", [fromNode, "exec(`ls ${folder}`, done);"], "2"],
    ["a.py", ['os.system("rm " + path)'], "1"],
    ["a.py", ["os.system(f'rm {path}')"], "1"],
    ["a.py", ['subprocess.run(f"git log {ref}", shell=True)'], "1"],
    ["a.py", ['subprocess.check_output("git log %s" % ref, shell=True)'], "1"],
  ])("finds an injection in %s: %j", async (path, lines, place) => {
    expect(await placesOf(shellInjection, [newFile(path, ...lines)])).toEqual([place]);
  });

  it.each([
    ["a.ts", ['execFileSync("git", ["log", ref]);']],
    ["a.ts", ['execSync("git log");']],
    ["a.ts", ["execSync(`git log`);"]],
    ["a.ts", ["pattern.exec(`a ${b}`);"]],
    ["a.ts", ["exec(`ls ${folder}`);"]],
    ["a.ts", ["// execSync(`git log ${ref}`)"]],
    ["a.test.ts", ["execSync(`git log ${ref}`);"]],
    ["scripts/a.ts", ["execSync(`git log ${ref}`);"]],
    ["a.py", ['subprocess.run(["git", "log", ref])']],
    ["a.py", ['subprocess.run(f"git log {ref}".split())']],
    ["a.py", ['os.system("clear")']],
    ["a.py", ['subprocess.run("ls | wc", shell=True)']],
  ])("lets %s with %j pass", async (path, lines) => {
    expect(await placesOf(shellInjection, [newFile(path, ...lines)])).toEqual([]);
  });
});
