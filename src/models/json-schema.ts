import { z } from "zod";
import type { CallOptions } from "#models/language-model.ts";

type ResponseFormat = Extract<CallOptions["responseFormat"], { type: "json" }>;
export type JsonSchema = NonNullable<ResponseFormat["schema"]>;

/** Where a schema has no such form, anything is allowed: it is read again here. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod's own type for it is wider than draft 7.
  return rest as JsonSchema;
}
