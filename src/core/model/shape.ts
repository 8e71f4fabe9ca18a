import type { z } from "zod";

/** Ports need no schema library by this. */
export type Shape<Value = unknown> = z.ZodType<Value>;
