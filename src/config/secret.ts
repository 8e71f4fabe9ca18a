/** Printed, logged or written as JSON it gives `***`. Only `reveal` returns the value. */
export interface Secret {
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

export function makeSecret(value: string): Secret {
  return { reveal: () => value, toString: () => "***", toJSON: () => "***" };
}
