import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeShape } from "#models/shape-prompt.ts";

function typeOf(shape: z.ZodType): string {
  return describeShape(shape).split("\n").slice(1).join("\n");
}

describe("the words for a shape", () => {
  it("are a type with the limits and descriptions of its fields", () => {
    const Finding = z.object({
      path: z.string().describe("as in the diff"),
      quote: z.string().min(1).max(400),
      severity: z.enum(["blocking", "problem"]),
      confidence: z.number().min(0).max(1),
      line: z.int().positive().nullable(),
      suggestion: z.string().optional(),
    });
    expect(
      describeShape(z.object({ findings: z.array(Finding).max(50), kind: z.literal("done") })),
    ).toMatchInlineSnapshot(`
      "Answer with JSON alone, without any text around it, of this type:
      {
      findings: {
      path: string; // as in the diff
      quote: string; // at least 1, at most 400 characters
      severity: "blocking" | "problem";
      confidence: number; // at most 1
      line: integer | null;
      suggestion?: string;
      }[]; // at most 50 items
      kind: "done";
      }"
    `);
  });

  it.each([
    [z.array(z.union([z.string(), z.number()])), "(string | number)[]"],
    [z.array(z.enum(["a", "b"])), '("a" | "b")[]'],
    [z.record(z.string(), z.number()), "object"],
    [z.unknown(), "any"],
    [z.boolean(), "boolean"],
  ])("say what they can where a shape is unusual", (shape, words) => {
    expect(typeOf(shape)).toBe(words);
  });

  it("tell members of a union apart", () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("yes"), why: z.string() }),
      z.object({ kind: z.literal("no") }),
    ]);
    expect(typeOf(shape)).toBe('{\nkind: "yes";\nwhy: string;\n} | {\nkind: "no";\n}');
  });

  it("take less than half of the room of JSON Schema", () => {
    const shape = z.object({ findings: z.array(z.object({ path: z.string(), text: z.string(), line: z.number() })) });
    expect(typeOf(shape).length).toBeLessThan(JSON.stringify(z.toJSONSchema(shape)).length / 2);
  });
});
