import type { z } from "zod";

/** What a value from outside must be, and the one who reads it. Ports name it by this and need no schema library. */
export type Shape<Value = unknown> = z.ZodType<Value>;
