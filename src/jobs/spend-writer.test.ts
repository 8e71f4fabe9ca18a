import { describe, expect, it } from "vitest";
import { createSpendWriter, type SpendWriter } from "#jobs/spend-writer.ts";
import type { Dependencies } from "#ports/dependencies.ts";
import { aSpend } from "#testing/spend-maker.ts";

interface Desk extends SpendWriter {
  readonly written: string[];
  readonly warnings: string[];
  isDown: boolean;
}

function desk(): Desk {
  const written: string[] = [];
  const warnings: string[] = [];
  const saveSpend: Dependencies["store"]["saveSpend"] = async ({ id }) => {
    await Promise.resolve();
    if (made.isDown) throw new Error("the database is away");
    written.push(id);
  };
  const log = {
    info: () => undefined,
    warn: (_: unknown, words: string) => warnings.push(words),
    error: () => undefined,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it needs no more than these two of the parts.
  const dependencies = { store: { saveSpend }, log } as unknown as Dependencies;
  const made: Desk = { ...createSpendWriter({ dependencies, key: "job" }), written, warnings, isDown: false };
  return made;
}

describe("calls that are to be written down", () => {
  it("are written in their order, each once, while others are told of", async () => {
    const writer = desk();
    for (const id of ["1", "2", "3"]) writer.write(aSpend({ id }));
    const flushed = writer.flush();
    writer.write(aSpend({ id: "4" }));
    await flushed;
    await writer.flush();
    expect(writer.written).toEqual(["1", "2", "3", "4"]);
  });

  it("wait while the database is away, and none is lost", async () => {
    const writer = desk();
    writer.isDown = true;
    writer.write(aSpend({ id: "1" }));
    writer.write(aSpend({ id: "2" }));
    await expect(writer.flush()).rejects.toThrow("the database is away");
    expect(writer.warnings).toEqual(Array.from({ length: 2 }, () => "a call could not be recorded yet"));
    writer.isDown = false;
    await writer.flush();
    expect(writer.written).toEqual(["1", "2"]);
  });
});
