import { z } from "zod";

/** Most keys do not look like this: who writes the key in place of the variable gets this message, without the key. */
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, "expected the name of a variable: the secret itself does not belong here");

export const SecretSource = z.union(
  [z.strictObject({ env: variableName }), z.strictObject({ file: z.string().min(1) })],
  "expected { env: NAME } or { file: PATH }: the secret itself does not belong here",
);
export type SecretSource = z.infer<typeof SecretSource>;
