import { describe, expect, it } from "vitest";
import { createSpendWriter, type SpendWriter } from "#jobs/budget-account.ts";
import type { Spending } from "#ports/spending.ts";
import { aSpend } from "#testing/spend-maker.ts";

interface Desk extends SpendWriter {
  readonly written: string[];
  readonly warnings: string[];
  isDown: boolean;
}

function desk(): Desk {
  const written: string[] = [];
  const warnings: string[] = [];
  const saveSpend: Spending["saveSpend"] = async ({ id }) => {
    await Promise.resolve();
    if (made.isDown) throw new Error("the database is away");
    written.push(id);
  };
  const writer = createSpendWriter({ saveSpend }, (why) => warnings.push(why));
  const made: Desk = { ...writer, written, warnings, isDown: false };
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
    expect(writer.warnings).toEqual(Array.from({ length: 2 }, () => "the database is away"));
    writer.isDown = false;
    await writer.flush();
    expect(writer.written).toEqual(["1", "2"]);
  });
});
