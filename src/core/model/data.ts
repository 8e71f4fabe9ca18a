import type { z } from "zod";

/** Readonly all the way down: a new fact makes a new value. */
export type Data<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;

type DeepReadonly<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly DeepReadonly<Element>[]
    : { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> };
