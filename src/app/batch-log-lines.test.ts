import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchLogLines } from "#app/batch-log-lines.ts";

function open(): {
  readonly say: (line: string) => void;
  readonly written: readonly string[];
  readonly exit: () => void;
} {
  const written: string[] = [];
  const process = new EventEmitter();
  const say = batchLogLines({ write: (text) => written.push(text), process });
  return { say, written, exit: () => process.emit("exit") };
}

describe("lines of a log", () => {
  it("of one turn are written together, in their order, and those of the next one after them", async () => {
    const { say, written } = open();
    say("a\n");
    say("b\n");
    expect(written).toEqual([]);
    await setImmediate();
    say("c\n");
    await setImmediate();
    await setImmediate();
    expect(written).toEqual(["a\nb\n", "c\n"]);
  });

  it("are written when the process exits, once", async () => {
    const { say, written, exit } = open();
    say("the last words\n");
    exit();
    exit();
    expect(written).toEqual(["the last words\n"]);
    await setImmediate();
    expect(written).toEqual(["the last words\n"]);
  });

  it("do not pile up within a turn", () => {
    const { say, written, exit } = open();
    const line = `${"x".repeat(30_000)}\n`;
    for (let count = 0; count < 9; count++) say(line);
    say("x".repeat(100_000));
    exit();
    expect(written.map((text) => text.length)).toEqual([60_002, 60_002, 60_002, 60_002, 30_001, 100_000]);
  });

  it("that nobody takes stop nothing", async () => {
    const say = batchLogLines({
      write: () => {
        throw new Error("broken pipe");
      },
      process: new EventEmitter(),
    });
    say("a\n");
    await setImmediate();
    expect(() => say("b\n")).not.toThrow();
    await setImmediate();
  });
});
