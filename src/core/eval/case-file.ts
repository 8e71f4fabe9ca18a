import { z } from "zod";
import type { Data } from "#core/model/data.ts";
import { findingLimits } from "#core/model/finding.ts";

/** docs/operating/eval.md describes it. */

const caseLimits = {
  findingsMax: 100,
  tagsMax: 20,
  wordsMax: 20,
  textCharactersMax: 10_000,
} as const;

const tag = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "expected a lower-case word such as off-by-one");
const tags = z
  .array(tag)
  .max(caseLimits.tagsMax)
  .default(() => []);

const rangePattern = /^([1-9]\d{0,6})-([1-9]\d{0,6})$/;
const linesWords = 'expected a line such as 12, or a range such as "12-14"';

const Lines = z
  .union([z.number().int(linesWords).positive(linesWords), z.string().regex(rangePattern, linesWords)], linesWords)
  .transform((value, context) => {
    if (typeof value === "number") return { first: value, last: value };
    const [, first = "0", last = "0"] = rangePattern.exec(value) ?? [];
    if (Number(first) <= Number(last)) return { first: Number(first), last: Number(last) };
    context.addIssue({ code: "custom", message: "expected the first line before the last" });
    return z.NEVER;
  });

const place = {
  path: z.string().min(1).max(findingLimits.pathCharactersMax),
  /** Of the file after the change, unless `side` says otherwise. Without lines and code it is about the whole file. */
  lines: Lines.optional(),
  code: z.string().min(1).max(findingLimits.snippetCharactersMax).optional(),
  side: z.enum(["old", "new"]).default("new"),
  /** One of these rules must have found it. */
  rules: z.array(z.string().min(1)).max(caseLimits.wordsMax).default([]),
  /** The remark must hold one of these; capitals do not matter. */
  about: z.array(z.string().min(2)).max(caseLimits.wordsMax).default([]),
};

const onePlace = { path: ["code"], message: "expected either `lines` or `code`, not both" };

const ExpectedEntry = z
  .strictObject({
    ...place,
    what: z.string().min(1).max(findingLimits.messageCharactersMax),
    /** It counts as found with any score that is shown; below this one it is underrated. */
    score: z.number().int().min(1).max(10).optional(),
    tags,
  })
  .refine(({ lines, code }) => lines === undefined || code === undefined, onePlace);

const AcceptedEntry = z
  .strictObject({ ...place, what: z.string().max(findingLimits.messageCharactersMax).default("") })
  .refine(({ lines, code }) => lines === undefined || code === undefined, onePlace);
export type AcceptedEntry = Data<typeof AcceptedEntry>;

export const CaseFile = z
  .strictObject({
    /** The reviewer is told both, so they must not give the answer away. */
    title: z.string().min(1).max(500),
    description: z.string().max(caseLimits.textCharactersMax).default(""),
    note: z.string().max(caseLimits.textCharactersMax).default(""),
    tags,
    clean: z.boolean().default(false),
    findings: z
      .array(ExpectedEntry)
      .max(caseLimits.findingsMax)
      .default(() => []),
    mayAlsoFind: z
      .array(AcceptedEntry)
      .max(caseLimits.findingsMax)
      .default(() => []),
  })
  .refine(({ clean, findings }) => clean !== findings.length > 0, {
    path: ["findings"],
    message:
      "expected either findings or `clean: true`: a case that says neither would pass for a clean one by mistake",
  });
export type CaseFile = Data<typeof CaseFile>;
