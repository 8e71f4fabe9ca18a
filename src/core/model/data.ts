import type { z } from "zod";

/** The type of a schema's values, readonly all the way down: a new fact makes a new value. */
export type Data<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;

type DeepReadonly<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly DeepReadonly<Element>[]
    : { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> };

/** What a value from outside must be, and the one who reads it. Ports name it by this and need no schema library. */
export type Shape<Value = unknown> = z.ZodType<Value>;
