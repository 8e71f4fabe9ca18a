import { describe, expect, it } from "vitest";
import { consoleLog } from "#app/console-log.ts";
import { at } from "#testing/makers.ts";
import { createVirtualClock } from "#testing/virtual-clock.ts";

const clock = createVirtualClock(at(0));

function written(use: (log: ReturnType<typeof consoleLog>) => void): readonly string[] {
  const lines: string[] = [];
  use(consoleLog({ write: (line) => lines.push(line), clock }));
  return lines;
}

describe("the console log", () => {
  it("writes one line of JSON for each message: time, level, message and facts", () => {
    const lines = written((log) => {
      log.info({ pull: 12, roles: ["general"] }, "ticked");
      log.warn({ kind: "forbidden", isOpen: true }, "forge refused status");
      log.error({ head: null }, "tick failed");
    });
    expect(lines).toEqual([
      '{"at":"2026-01-01T09:00:00Z","level":"info","message":"ticked","pull":12,"roles":["general"]}\n',
      '{"at":"2026-01-01T09:00:00Z","level":"warn","message":"forge refused status","kind":"forbidden","isOpen":true}\n',
      '{"at":"2026-01-01T09:00:00Z","level":"error","message":"tick failed","head":null}\n',
    ]);
  });

  it("stays on one line whatever a fact holds", () => {
    const lines = written((log) => log.info({ text: 'a\nb\r\n"c"' }, "said"));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ text: 'a\nb\r\n"c"' });
  });

  it("lets no fact pass for the level, the message or the time", () => {
    const [line] = written((log) => log.warn({ level: "info", message: "all is well", at: 0 }, "forge refused status"));
    expect(JSON.parse(line ?? "")).toEqual({
      at: "2026-01-01T09:00:00Z",
      level: "warn",
      message: "forge refused status",
    });
  });

  it("goes on when nobody can be written to", () => {
    const log = consoleLog({
      write: () => {
        throw new Error("broken pipe");
      },
      clock,
    });
    expect(() => log.error({}, "tick failed")).not.toThrow();
  });
});
