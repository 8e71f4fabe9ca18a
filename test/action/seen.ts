import type { PullRef } from "#ports/pull-ref.ts";
import type { Runner } from "./runner.ts";

/** What the bot has left on a pull, as anybody can see it. */
export interface Left {
  readonly reviews: readonly { readonly state: string; readonly body: string }[];
  readonly comments: readonly string[];
  readonly remarks: readonly string[];
  /** The last word of the gate. */
  readonly gate: string | undefined;
}

export function left({ sandbox, accounts }: Pick<Runner, "sandbox" | "accounts">, pull: PullRef): Left {
  const seen = sandbox.look(pull);
  const isOwn = ({ author }: { readonly author: { readonly id: string } }): boolean => author.id === accounts.bot.id;
  return {
    reviews: seen.reviews.filter(isOwn).map(({ state, body }) => ({ state, body })),
    comments: seen.comments.filter(isOwn).map(({ body }) => body),
    remarks: seen.threads.flatMap(({ comments }) => comments.filter(isOwn).map(({ body }) => body)),
    gate: seen.gates.at(-1)?.state,
  };
}

interface Block {
  readonly type: string;
  /** What it is about. */
  readonly subject: string;
  readonly revision: number;
  readonly data: unknown;
}

/** The state blocks in texts, as they are written. */
export function blocksIn(texts: readonly string[]): readonly Block[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/```rmcoc\n([\s\S]*?)\n```/g)].map(([, json = ""]): Block => JSON.parse(json)),
  );
}

/** What the blocks of one type say; of several about the same the newest. */
export function blockData(texts: readonly string[], type: string): readonly unknown[] {
  const newest = new Map<string, Block>();
  for (const block of blocksIn(texts).filter((one) => one.type === type)) {
    const known = newest.get(block.subject);
    if (known === undefined || known.revision <= block.revision) newest.set(block.subject, block);
  }
  return [...newest.values()].map(({ data }) => data);
}

export function textsOf({ reviews, comments, remarks }: Left): readonly string[] {
  return [...reviews.map(({ body }) => body), ...comments, ...remarks];
}

/** Something that the rules object to. */
export const blocking = { "src/loud.ts": "export function shout() {\n  debugger;\n}\n" };
export const harmless = { "src/quiet.ts": "export const quiet = 1;\n" };
