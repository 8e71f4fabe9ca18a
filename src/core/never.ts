/** A new member of a union breaks the build here, and a value from outside the types ends loudly. */
export function never(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
