import { describe, expect, it, onTestFinished } from "vitest";
import { comparedBytesMax } from "#git/git-limits.ts";
import { parsed } from "./applied-diff.ts";
import { realWorld } from "./real-world.ts";
import { fetchSide, withMain } from "./world.ts";
import { worlds } from "./worlds.ts";

describe.each(worlds)("the diff of $name", ({ open }) => {
  it("names a file that is too large to be compared, and shows nothing of it", async () => {
    const world = await open();
    onTestFinished(() => world.close());
    const { hand, mirror, first } = await withMain(world, { a: "a\n" });
    const changes = { a: "\n".repeat(comparedBytesMax + 1), whole: "x".repeat(comparedBytesMax) };
    const head = await fetchSide(mirror, hand, await hand.commit({ parents: [first], changes, minute: 1 }));
    const read = await mirror.diff({ base: first, head, bytesMax: 3 * comparedBytesMax });
    const files = parsed(read).files.map((file) => `${file.kind} ${file.path} ${file.content.kind}`);
    expect(files).toEqual(["modified a binary", "added whole text"]);
  });
});

describe.runIf(process.platform === "linux")("a git process that needs more memory than it may have", () => {
  it("ends with an error that says so, and with no answer", async () => {
    const world = await realWorld({ limits: { memoryBytesMax: 120 * 1024 * 1024 } });
    onTestFinished(() => world.close());
    const { hand, mirror, first } = await withMain(world, { a: "a\n" });
    const changes = { a: "\n".repeat(comparedBytesMax) };
    const head = await fetchSide(mirror, hand, await hand.commit({ parents: [first], changes, minute: 1 }));
    await expect(mirror.diff({ base: first, head, bytesMax: 3 * comparedBytesMax })).rejects.toMatchObject({
      kind: "over_limit",
      message: expect.stringContaining("memoryBytesMax"),
    });
  });
});
