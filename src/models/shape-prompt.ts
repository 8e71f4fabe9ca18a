import type { z } from "zod";
import { jsonSchemaOf } from "#models/json-schema.ts";

/** Written like a type: less than half of the tokens of JSON Schema, and models follow it as well. */
export function describeShape(shape: z.ZodType): string {
  return `Answer with JSON alone, without any text around it, of this type:\n${typeOf(jsonSchemaOf(shape))}`;
}

interface Shape {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
  readonly items?: unknown;
  readonly properties?: unknown;
  readonly required?: unknown;
  readonly description?: unknown;
  readonly maxLength?: unknown;
  readonly minLength?: unknown;
  readonly maxItems?: unknown;
  readonly minItems?: unknown;
  readonly maximum?: unknown;
  readonly minimum?: unknown;
}

function typeOf(value: unknown): string {
  const shape = asShape(value);
  const choices = listOf(shape.anyOf ?? shape.oneOf);
  if (choices !== undefined) return choices.map(typeOf).join(" | ");
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  const words = listOf(shape.enum);
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(" | ");
  if (shape.type === "array") return `${inBrackets(typeOf(shape.items))}[]`;
  if (shape.type === "object" || shape.properties !== undefined) return objectType(shape);
  const types = listOf(shape.type) ?? [shape.type];
  return types.map((type) => (typeof type === "string" ? type : "any")).join(" | ");
}

function objectType(shape: Shape): string {
  const required = new Set(listOf(shape.required) ?? []);
  const fields = Object.entries(asShape(shape.properties)).map(([name, field]) => {
    const remark = remarkOn(asShape(field));
    return `${name}${required.has(name) ? "" : "?"}: ${typeOf(field)};${remark === "" ? "" : ` // ${remark}`}`;
  });
  if (fields.length === 0) return "object";
  return `{\n${fields.join("\n")}\n}`;
}

function remarkOn(shape: Shape): string {
  const remarks = [
    typeof shape.description === "string" ? shape.description : "",
    range(shape.minLength, shape.maxLength, "characters"),
    range(shape.minItems, shape.maxItems, "items"),
    range(shape.minimum, shape.maximum, ""),
  ];
  return remarks.filter((remark) => remark !== "").join(", ");
}

/** The limits of JavaScript's numbers are no choice of the schema. */
function range(least: unknown, most: unknown, unit: string): string {
  const from = typeof least === "number" && least > -Number.MAX_SAFE_INTEGER && least !== 0 ? `at least ${least}` : "";
  const to = typeof most === "number" && most < Number.MAX_SAFE_INTEGER ? `at most ${most}` : "";
  const both = [from, to].filter((one) => one !== "").join(", ");
  return both === "" || unit === "" ? both : `${both} ${unit}`;
}

function inBrackets(type: string): string {
  return type.includes(" | ") && !type.startsWith("{") ? `(${type})` : type;
}

function asShape(value: unknown): Shape {
  return typeof value === "object" && value !== null ? value : {};
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
