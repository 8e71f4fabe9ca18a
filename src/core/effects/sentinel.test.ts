import { expect, it } from "vitest";
import { readSentinel, type Sentinel, writeSentinel } from "#core/effects/sentinel.ts";
import { digestOf } from "#core/model/digest.ts";

const digest = digestOf("words");

it.each<Sentinel>([
  { kind: "managed", digest },
  { kind: "review", role: "security", digest },
])("the sentinel %j is read back as it was written", (sentinel) => {
  expect(readSentinel(`${writeSentinel(sentinel)}\nwords`)).toEqual(sentinel);
});

it.each(["", "words", ` ${writeSentinel({ kind: "managed", digest })}`, "<!-- drover:review BIG 00 -->"])(
  "the text %j holds no sentinel",
  (text) => expect(readSentinel(text)).toBeUndefined(),
);
