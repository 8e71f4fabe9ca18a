import { expect, it } from "vitest";
import { openFence } from "#core/markdown/open-fence.ts";

it.each([
  ["no fence", null],
  ["```\ncode", "```"],
  ["```ts\ncode\n```", null],
  ["````\n```\ncode", "````"],
  ["````\n```\ncode\n`````", null],
  ["~~~\ncode", "~~~"],
  ["~~~\n```\ncode\n```", "~~~"],
  ["``` inline ``` code", null],
  ["```\ncode\n``` not a close", "```"],
])("the text %j leaves the fence %j open", (text, fence) => expect(openFence(text)).toBe(fence));
