import { z } from "zod";
import { readRolesLine } from "#core/blocks/encode-block.ts";
import { findBlocks } from "#core/blocks/find-blocks.ts";
import { readSentinel } from "#core/effects/sentinel.ts";

const Named = z.object({
  data: z.union([z.object({ run: z.object({ role: z.string() }) }), z.object({ role: z.string() })]),
});

/** It proves nothing: it tells whose notes these claim to be, whoever signed them. */
export function namedRoles(text: string): readonly string[] {
  const sentinel = readSentinel(text);
  const marked = sentinel?.kind === "review" ? [sentinel.role] : [];
  const blocks = findBlocks(text).flatMap((block) => (block.kind === "whole" ? roleIn(block.json) : []));
  return [...marked, ...readRolesLine(text), ...blocks];
}

function roleIn(json: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  const read = Named.safeParse(value);
  if (!read.success) return [];
  const { data } = read.data;
  return ["run" in data ? data.run.role : data.role];
}
