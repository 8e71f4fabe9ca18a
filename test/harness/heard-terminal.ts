import type { Terminal } from "#cli/terminal.ts";

/** A terminal that nobody sits at, and what was said on it. */
export interface HeardTerminal {
  readonly terminal: Terminal;
  readonly said: { readonly out: string; readonly err: string };
}

export function heardTerminal(over: Partial<Terminal> = {}): HeardTerminal {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    readFile: async () => "",
    sleep: async () => undefined,
    isInteractive: false,
    columns: undefined,
    hasColours: false,
    searchPath: "",
    env: {},
    ...over,
  };
  return { terminal, said };
}
