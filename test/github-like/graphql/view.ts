import type { GraphQLFieldResolver } from "graphql";

/**
 * An object of GitHub's schema: a value for each field, or a function of the field's arguments. Fields that nobody asks
 * for are not computed.
 */
export interface View {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Calls this with what a client asked for and this server has no answer to. */
export type Complaint = (what: string) => void;

/** Has been complained about. */
export class NotServed extends Error {}

/** A field without a value is a hole in this server, and never a silent null. */
export function resolveFrom(complain: Complaint): GraphQLFieldResolver<unknown, unknown> {
  return (source, args: Arguments, _, { fieldName, parentType }) => {
    const isThere = typeof source === "object" && source !== null && fieldName in source;
    if (!isThere) {
      const what = `${parentType.name}.${fieldName} is asked for and not served`;
      complain(what);
      throw new NotServed(what);
    }
    const value: unknown = Reflect.get(source, fieldName);
    return typeof value === "function" ? (value(args) as unknown) : value;
  };
}
