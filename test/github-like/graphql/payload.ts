import type { Arguments, View } from "#github-like/graphql/view.ts";

/** The one argument of every mutation. */
export function inputOf({ input }: Arguments): Arguments {
  return typeof input === "object" && input !== null ? { ...input } : {};
}

export function payload(typename: string, args: Arguments, fields: Readonly<Record<string, unknown>>): View {
  return { __typename: typename, clientMutationId: inputOf(args)["clientMutationId"] ?? null, ...fields };
}
