import { describe, expect, it } from "vitest";
import { dockerAddUrl } from "#reviewers/rules/ci/docker-add-url.ts";
import { newFile, placesOf } from "#testing/rules-makers.ts";

describe("docker-add-url", () => {
  it.each(["ADD https://example.org/tool.tar.gz /opt/", "add --chown=1:1 http://example.org/x /x"])(
    "finds %s",
    async (line) => {
      expect(await placesOf(dockerAddUrl, [newFile("Dockerfile", line)])).toEqual(["1"]);
    },
  );

  it.each([
    ["Dockerfile", "ADD --checksum=sha256:abc https://example.org/x /x"],
    ["Dockerfile", "ADD https://example.org/x.git#v1 /x"],
    ["Dockerfile", "ADD tool.tar.gz /opt/"],
    ["Dockerfile", "# ADD https://example.org/x /x"],
    ["a.txt", "ADD https://example.org/x /x"],
  ])("lets %s with %s pass", async (path, line) => {
    expect(await placesOf(dockerAddUrl, [newFile(path, line)])).toEqual([]);
  });
});
