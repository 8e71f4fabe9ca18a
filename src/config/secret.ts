/** A value that must not be seen: printed, logged or written as JSON it gives `***`. `reveal` is the one way to it. */
export interface Secret {
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
}

export function makeSecret(value: string): Secret {
  return { reveal: () => value, toString: () => "***", toJSON: () => "***" };
}
