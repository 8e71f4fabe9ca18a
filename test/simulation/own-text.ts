/** A text of a bot, as somebody reads it who knows how it marks its texts but not its secret. */
export interface OwnText {
  readonly isBlanked: boolean;
  /** Says itself that it no longer holds. */
  readonly isSuperseded: boolean;
  /** Shows the state, or keeps notes: copies of blocks that mean nothing here. */
  readonly isKeeping: boolean;
  readonly isManaged: boolean;
  /** The role of a review. */
  readonly role: string | null;
  readonly mark: string | null;
  readonly blocks: readonly { readonly type: string; readonly subject: string }[];
}

export function readOwnText(body: string): OwnText {
  const isManaged = body.startsWith("<!-- drover:managed ");
  return {
    isBlanked: body.startsWith("<!-- drover:blanked -->"),
    isSuperseded: /^_Superseded\b/m.test(body),
    isManaged,
    isKeeping: isManaged || body.includes("notes to itself, continued"),
    role: /^<!-- drover:review ([a-z0-9-]+) /.exec(body)?.[1] ?? null,
    mark: /^<!-- drover:effect ([0-9a-f]+) -->/m.exec(body.split("\n", 3).join("\n"))?.[1] ?? null,
    blocks: [...body.matchAll(/^```rmcoc\n(.*)\n```$/gm)].flatMap(([, json = ""]) => readBlock(json) ?? []),
  };
}

function readBlock(json: string): OwnText["blocks"][number] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { type, subject } = { type: undefined, subject: undefined, ...parsed };
    return typeof type === "string" && typeof subject === "string" ? { type, subject } : undefined;
  } catch {
    return undefined;
  }
}

/** What of a text acts on a forge: neither code nor what stands in fences. */
export function shownText(body: string): string {
  const withoutFences = body.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
  return withoutFences.replaceAll(/(`+)(?:(?!\1)[^\n])+\1/g, "");
}

/** The managed comment says which head it speaks of. */
export function namesHead(body: string, head: string): boolean {
  return body.includes(`Head \`${head.slice(0, 10)}\``);
}
