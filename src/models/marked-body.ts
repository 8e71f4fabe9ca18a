import { z } from "zod";

/**
 * The package for compatible servers writes a message of one part as plain text and puts the part's mark beside it,
 * where OpenRouter does not look. There the mark belongs to the part.
 */
export function arrayOfMarked(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Array.isArray(body["messages"])) return body;
  return { ...body, messages: body["messages"].map(withMarkInside) };
}

const MarkedMessage = z.looseObject({ role: z.string(), content: z.string(), cache_control: z.unknown() });

function withMarkInside(message: unknown): unknown {
  const read = MarkedMessage.safeParse(message);
  if (!read.success || read.data.cache_control === undefined) return message;
  const { cache_control, content, ...rest } = read.data;
  return { ...rest, content: [{ type: "text", text: content, cache_control }] };
}
