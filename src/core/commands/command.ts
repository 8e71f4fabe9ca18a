import type { Untrusted } from "#core/model/ids.ts";
import type { CommandWord } from "#core/model/records.ts";

/** A comment may hold a command and a question: neither is lost for the other. */
export interface BotMessage {
  /** The first command line of the comment. */
  readonly command: Command | MalformedCommand | null;
  /** The comment without its command lines, where what is left still speaks to the bot. */
  readonly prose: Untrusted | null;
  /** Set where the comment holds nothing for the bot but what was almost a command. */
  readonly nearMiss: NearMiss | null;
  /** A line begins with the handle and a command word, whatever follows. An edited command still has it. */
  readonly namesCommand: boolean;
  /** Live or not. */
  readonly hasHandle: boolean;
}

export interface NearMiss {
  readonly word: CommandWord;
}

export type Command =
  | { readonly kind: "command"; readonly word: "disable-reviews"; readonly forMs: number | null }
  | {
      readonly kind: "command";
      readonly word: "fix";
      readonly uptoMicroUsd: number | null;
      readonly limitMs: number | null;
    }
  | { readonly kind: "command"; readonly word: BareWord };

/** Never guessed at: its author is told what was wrong. */
export interface MalformedCommand {
  readonly kind: "malformed";
  readonly word: ArgumentWord;
  /** A sentence for the author; it holds nothing of what they wrote. */
  readonly problem: string;
}

type ArgumentWord = "disable-reviews" | "fix";
type BareWord = Exclude<CommandWord, ArgumentWord>;
