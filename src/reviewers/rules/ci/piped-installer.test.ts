import { describe, expect, it } from "vitest";
import { pipedInstaller } from "#reviewers/rules/ci/piped-installer.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("piped-installer", () => {
  it.each([
    ["Dockerfile", "RUN curl -fsSL https://get.example.org | bash"],
    ["install.sh", "wget -qO- https://example.org/x.sh | sudo -E sh -"],
    [".github/workflows/a.yml", "      - run: curl https://example.org/x | /bin/sh"],
    ["a.sh", "bash <(curl -s https://example.org/x)"],
    ["a.sh", 'sh -c "$(curl -fsSL https://example.org/x)"'],
  ])("finds an installer from the network in %s: %s", async (path, line) => {
    expect(await placesOf(pipedInstaller, [newFile(path, line)])).toEqual(["1"]);
  });

  it.each([
    ["README.md", "curl https://example.org | sh"],
    ["a.sh", "# curl https://example.org | sh"],
    ["a.sh", 'echo "curl https://example.org | sh"'],
    ["a.sh", "curl https://example.org/x.json | jq .a"],
    ["a.sh", "curl -o x.sh https://example.org/x.sh; sha256sum -c sums && sh x.sh"],
    ["a.sh", "curl http://localhost:80/x | sh"],
    ["a.sh", "cat x | sh"],
    ["a.sh", "curl https://example.org | shasum -a 256"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(pipedInstaller, [newFile(path, line)])).toEqual([]);
  });
});
