import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startProgress } from "#cli/progress.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched(isShown: boolean) {
  const said: string[] = [];
  return { said, progress: startProgress({ write: (text) => said.push(text), isShown }) };
}

describe("progress", () => {
  it("says nothing about what is done in a moment", () => {
    const { said, progress } = watched(true);
    progress.tell("asking git");
    progress.end();
    vi.advanceTimersByTime(10_000);
    expect(said).toEqual([]);
  });

  it("says what is being done to somebody who waits, and leaves no trace of it", () => {
    const { said, progress } = watched(true);
    progress.tell("asking git");
    vi.advanceTimersByTime(1_000);
    progress.tell("looking");
    progress.end();
    expect(said).toEqual(["\r\u001b[Kasking git …", "\r\u001b[Klooking …", "\r\u001b[K"]);
  });

  it("stays in one line, however narrow that is", () => {
    const said: string[] = [];
    const progress = startProgress({ write: (text) => said.push(text), isShown: true, columns: 20 });
    progress.tell("asking again in 4 s: the model is not there");
    vi.advanceTimersByTime(1_000);
    progress.end();
    expect(said[0]).toBe("\r\u001b[Kasking again in 4 …");
  });

  it("is for terminals alone", () => {
    const { said, progress } = watched(false);
    progress.tell("asking git");
    vi.advanceTimersByTime(10_000);
    progress.end();
    expect(said).toEqual([]);
  });
});
