import { expect, it } from "vitest";
import { readSentinel, type Sentinel, writeSentinel } from "#core/effects/sentinel.ts";
import { digestOf } from "#core/model/digest.ts";

const digest = digestOf("words");

it.each<Sentinel>([
  { kind: "managed", digest },
  { kind: "review", role: "security", digest },
])("reads back %j", (sentinel) => {
  expect(readSentinel(`${writeSentinel(sentinel)}\nwords`)).toEqual(sentinel);
});

it.each(["", "words", ` ${writeSentinel({ kind: "managed", digest })}`, "<!-- drover:review BIG 00 -->"])(
  "finds none in %j",
  (text) => expect(readSentinel(text)).toBeUndefined(),
);
