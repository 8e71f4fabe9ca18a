/** One character per byte. Git's matcher backtracks, some patterns for ever; this one takes pattern times text. */
export type IgnorePattern = (text: string) => boolean;

type Token =
  | { readonly kind: "one"; readonly accepts: (code: number) => boolean }
  | { readonly kind: "run"; readonly crosses: boolean }
  | { readonly kind: "folders" };

/** `pathname`: only a slash, or `**` between slashes, matches a slash. A broken pattern matches nothing. */
export function compilePattern(pattern: string, manner: { readonly pathname: boolean }): IgnorePattern {
  if (!/[*?[\\]/.test(pattern)) return (text) => text === pattern;
  const ending = /^\*([^*?[\\/]*)$/.exec(pattern)?.[1];
  if (ending !== undefined && !manner.pathname) return (text) => text.endsWith(ending);
  const tokens = readTokens(pattern, manner);
  return tokens === undefined ? () => false : (text) => matches(tokens, text);
}

const slash = 47;

function matches(tokens: readonly Token[], text: string): boolean {
  let states = new Set<number>();
  reach(tokens, states, 0);
  for (let at = 0; at < text.length && states.size > 0; at += 1) {
    const next = new Set<number>();
    for (const state of states) step(tokens, next, state, text.charCodeAt(at));
    states = next;
  }
  return states.has(final(tokens));
}

/** A state is the next token; inside of a `folders` it is negative until a slash. */
function step(tokens: readonly Token[], next: Set<number>, state: number, code: number): void {
  const isInside = state < 0;
  const index = isInside ? -state - 1 : state;
  const token = tokens[index];
  if (token === undefined) return;
  if (token.kind === "folders" || isInside) {
    next.add(-index - 1);
    if (code === slash) reach(tokens, next, index + 1);
  } else if (token.kind === "run") {
    if (token.crosses || code !== slash) reach(tokens, next, index);
  } else if (token.accepts(code)) reach(tokens, next, index + 1);
}

function reach(tokens: readonly Token[], states: Set<number>, index: number): void {
  for (let at = index; ; at += 1) {
    states.add(at);
    const kind = tokens[at]?.kind;
    if (kind !== "run" && kind !== "folders") return;
  }
}

function final(tokens: readonly Token[]): number {
  return tokens.length;
}

function readTokens(pattern: string, { pathname }: { readonly pathname: boolean }): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const read = readToken(pattern, at, pathname);
    if (read === undefined) return undefined;
    tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

interface ReadToken {
  readonly token: Token;
  readonly end: number;
}

function readToken(pattern: string, at: number, pathname: boolean): ReadToken | undefined {
  const character = pattern.charAt(at);
  switch (character) {
    case "*":
      return readRun(pattern, at, pathname);
    case "?":
      return { token: { kind: "one", accepts: (code) => !(pathname && code === slash) }, end: at + 1 };
    case "[":
      return readClass(pattern, at, pathname);
    case "\\":
      return at + 1 === pattern.length ? undefined : { token: plain(pattern.charCodeAt(at + 1)), end: at + 2 };
    default:
      return { token: plain(character.charCodeAt(0)), end: at + 1 };
  }
}

function plain(wanted: number): Token {
  return { kind: "one", accepts: (code) => code === wanted };
}

function readRun(pattern: string, at: number, pathname: boolean): ReadToken {
  let end = at + 1;
  while (pattern.charAt(end) === "*") end += 1;
  if (!pathname) return { token: { kind: "run", crosses: true }, end };
  const isAlone = end - at > 1 && (at === 0 || pattern.charAt(at - 1) === "/");
  if (isAlone && end === pattern.length) return { token: { kind: "run", crosses: true }, end };
  if (isAlone && pattern.charAt(end) === "/") return { token: { kind: "folders" }, end: end + 1 };
  return { token: { kind: "run", crosses: isAlone && pattern.startsWith("\\/", end) }, end };
}

/** A bracket directly after the opening is a plain character. */
function readClass(pattern: string, start: number, pathname: boolean): ReadToken | undefined {
  const isNegated = /[!^]/.test(pattern.charAt(start + 1));
  const members: ((code: number) => boolean)[] = [];
  let previous: number | undefined;
  let at = start + (isNegated ? 2 : 1);
  for (let isFirst = true; isFirst || pattern.charAt(at) !== "]"; isFirst = false) {
    const named = /^\[:([a-z]*):\]/.exec(pattern.slice(at, at + 20));
    if (named !== null) {
      const member = namedClasses.get(named[1] ?? "");
      if (member === undefined) return undefined;
      members.push((code) => member.test(String.fromCharCode(code)));
      at += named[0].length;
      previous = undefined;
      continue;
    }
    const isRange =
      pattern.charAt(at) === "-" && previous !== undefined && !/^-(?:\]|$)/.test(pattern.slice(at, at + 2));
    const value = readMember(pattern, isRange ? at + 1 : at);
    if (value === undefined) return undefined;
    const low = isRange ? (previous ?? 0) : value.code;
    members.push((code) => code >= low && code <= value.code);
    previous = isRange ? undefined : value.code;
    at = value.end;
  }
  const accepts = (code: number): boolean =>
    !(pathname && code === slash) && members.some((member) => member(code)) !== isNegated;
  return { token: { kind: "one", accepts }, end: at + 1 };
}

function readMember(pattern: string, at: number): { readonly code: number; readonly end: number } | undefined {
  const from = pattern.charAt(at) === "\\" ? at + 1 : at;
  return from < pattern.length ? { code: pattern.charCodeAt(from), end: from + 1 } : undefined;
}

const namedClasses: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /^[0-9A-Za-z]$/],
  ["alpha", /^[A-Za-z]$/],
  ["blank", /^[ \t]$/],
  ["cntrl", /^[^\x20-\x7e\x80-\xff]$/],
  ["digit", /^[0-9]$/],
  ["graph", /^[\x21-\x7e]$/],
  ["lower", /^[a-z]$/],
  ["print", /^[\x20-\x7e]$/],
  ["punct", /^[!-/:-@[-`{-~]$/],
  ["space", /^[ \t\n\v\f\r]$/],
  ["upper", /^[A-Z]$/],
  ["xdigit", /^[0-9A-Fa-f]$/],
]);
