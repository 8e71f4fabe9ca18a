import type { Language } from "#reviewers/rules/language.ts";

export interface Syntax {
  readonly lineComments: readonly string[];
  readonly blockComment: readonly [open: string, close: string] | null;
  /** Longer ones first: three quotes are not one. */
  readonly quotes: readonly Quote[];
  /** A slash may begin a regular expression. */
  readonly hasPatterns: boolean;
  /** A single quote may begin a lifetime, which has no end. */
  readonly hasLifetimes: boolean;
}

export interface Quote {
  readonly mark: string;
  readonly spansLines: boolean;
  readonly hasEscapes: boolean;
  /** Between `${` and `}`. */
  readonly holdsCode: boolean;
}

export function syntaxOf(language: Language): Syntax | null {
  return syntaxes[language] ?? null;
}

function quote(mark: string, traits: Partial<Quote> = {}): Quote {
  return { mark, spansLines: false, hasEscapes: true, holdsCode: false, ...traits };
}

const wide = { spansLines: true };
const slashes: Syntax = {
  lineComments: ["//"],
  blockComment: ["/*", "*/"],
  quotes: [quote('"""', wide), quote('"'), quote("'")],
  hasPatterns: false,
  hasLifetimes: false,
};

const syntaxes: Readonly<Partial<Record<Language, Syntax>>> = {
  javascript: {
    ...slashes,
    quotes: [quote('"'), quote("'"), quote("`", { spansLines: true, holdsCode: true })],
    hasPatterns: true,
  },
  braces: slashes,
  go: { ...slashes, quotes: [quote('"'), quote("'"), quote("`", { spansLines: true, hasEscapes: false })] },
  rust: { ...slashes, quotes: [quote('"', wide), quote("'")], hasLifetimes: true },
  php: { ...slashes, lineComments: ["//", "#"], quotes: [quote('"', wide), quote("'", wide)] },
  python: {
    lineComments: ["#"],
    blockComment: null,
    quotes: [quote('"""', wide), quote("'''", wide), quote('"'), quote("'")],
    hasPatterns: false,
    hasLifetimes: false,
  },
  ruby: {
    lineComments: ["#"],
    blockComment: null,
    quotes: [quote('"', wide), quote("'", wide)],
    hasPatterns: false,
    hasLifetimes: false,
  },
};
