import { describe, expect, it } from "vitest";
import { unsafeYaml } from "#reviewers/rules/code/unsafe-yaml.ts";
import { findingsOf, newFile, placesOf } from "#testing/rules-makers.ts";

describe("unsafe-yaml", () => {
  it.each([
    ["settings = yaml.load(stream)", "settings = yaml.safe_load(stream)"],
    ["return yaml.load(open('a.yml'))", "return yaml.safe_load(open('a.yml'))"],
    ["yaml.load(text, Loader=yaml.UnsafeLoader)  # all of it", "yaml.safe_load(text)  # all of it"],
    ["yaml.load(text, yaml.Loader)", "yaml.safe_load(text)"],
  ])("finds %s and suggests %s", async (line, suggestion) => {
    const findings = await findingsOf(unsafeYaml, [newFile("a.py", line)]);
    expect(findings.map((finding) => finding.suggestion)).toEqual([suggestion]);
  });

  it.each([
    ["a.py", "yaml.safe_load(text)"],
    ["a.py", "yaml.load(text, Loader=yaml.SafeLoader)"],
    ["a.py", "yaml.load(text, Loader=OurLoader)"],
    ["a.py", "ruamel.yaml.load(text)"],
    ["a.py", "# yaml.load(text)"],
    ["test_a.py", "yaml.load(text)"],
    ["a.ts", "yaml.load(text)"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(unsafeYaml, [newFile(path, line)])).toEqual([]);
  });
});
