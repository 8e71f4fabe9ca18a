import { expect, it } from "vitest";
import { z } from "zod";
import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { ModelTool } from "#ports/model.ts";
import { boundTools } from "#reviewers/model/bounded-tools.ts";

const { signal } = new AbortController();

function aTool(name: string, answer: string): ModelTool {
  return { name, words: "", input: z.object({}), run: () => Promise.resolve(answer) };
}

it("tools of one conversation show so much together, and then nothing more", async () => {
  const line = "one two three four five\n";
  const [one, other] = boundTools([aTool("one", line.repeat(12)), aTool("other", line.repeat(12))], 100);
  const first = (await one?.run({}, signal)) ?? "";
  const second = (await other?.run({}, signal)) ?? "";
  expect(first).toBe(line.repeat(12));
  expect(second).toMatch(/five\n\(cut here, and nothing more can be looked up\)$/);
  expect(estimateTokens(first) + estimateTokens(second)).toBeLessThan(125);
  expect(await one?.run({}, signal)).toBe("Nothing more can be looked up. Answer now, with what you know.");
});
