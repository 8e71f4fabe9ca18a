import type { Reaction } from "#core/model/conversation.ts";
import { type Instant, minuteMs } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import type { WatchSite } from "./watch-site.ts";

export const changeKinds = ["push", "comment", "reaction"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Something that somebody did, and how to see it. */
interface Change {
  readonly kind: ChangeKind;
  readonly pull: PullRef;
  readonly at: Instant;
  readonly isIn: (seen: Observation) => boolean;
}

/** What people do on the site, and when Drover saw it. */
export interface Changes {
  /** The next change, now. */
  make(): Promise<void>;
  note(pull: PullRef, seen: Observation): void;
  /** How late the latest of a kind was noticed. */
  lateMsMax(kind: ChangeKind): number;
  /** Made and not seen yet. */
  countUnseen(): number;
  /** Of all that was made from now on. */
  begin(): void;
}

const contents: readonly Reaction["content"][] = ["+1", "eyes", "heart", "hooray", "rocket", "laugh"];

/** Neighbours are not next to each other, and all have their turn. */
const stride = 7919;

export function createChanges(site: WatchSite): Changes {
  const { clock, refs } = site;
  let made = 0;
  let unseen: Change[] = [];
  let late = new Map<ChangeKind, number>();
  return {
    make: async () => {
      const pull = refs[(made * stride) % refs.length];
      const kind = changeKinds[made % changeKinds.length];
      if (pull === undefined || kind === undefined) throw new Error("there is nothing to change");
      const isIn = await makeChange(site, { pull, kind, number: made });
      made += 1;
      unseen.push({ kind, pull, at: clock.now(), isIn });
    },
    note: (pull, seen) => {
      for (const change of unseen) {
        if (!isSame(change.pull, pull) || !change.isIn(seen)) continue;
        late.set(change.kind, Math.max(late.get(change.kind) ?? 0, clock.now() - change.at));
        unseen = unseen.filter((each) => each !== change);
      }
    },
    lateMsMax: (kind) => late.get(kind) ?? Number.NaN,
    countUnseen: () => unseen.length,
    begin: () => {
      unseen = [];
      late = new Map();
    },
  };
}

function isSame(left: PullRef, right: PullRef): boolean {
  return left.number === right.number && left.repository.id === right.repository.id;
}

async function makeChange(
  { sandbox, author, reviewer }: WatchSite,
  { pull, kind, number }: { readonly pull: PullRef; readonly kind: ChangeKind; readonly number: number },
): Promise<Change["isIn"]> {
  const { repository } = pull;
  switch (kind) {
    case "push": {
      const { branch } = sandbox.look(pull).pull.head;
      const changes = { [`src/more-${number}.ts`]: `export const more = ${number};\n` };
      const sha = await sandbox.as(author).push({ repository, branch, changes, message: "More" });
      return (seen) => seen.pull.head.sha === sha;
    }
    case "comment": {
      const words = `I have read it up to line ${number}.`;
      await sandbox.as(reviewer).comment(pull, words);
      return (seen) => seen.comments.some(({ body }) => body.includes(words));
    }
    default: {
      const had = sandbox.look(pull).reactions.filter(({ author: { id } }) => id === reviewer.id);
      const content = contents.find((each) => had.every((reaction) => reaction.content !== each));
      if (content === undefined) throw new Error("there is no reaction left to give");
      await sandbox.as(reviewer).react(pull, content);
      return (seen) =>
        seen.reactions.some((reaction) => reaction.author.id === reviewer.id && reaction.content === content);
    }
  }
}

/** When the changes of this time come, in order: one somewhere in each part of it. */
export function changeTimes(ms: number, perMinute: number): readonly number[] {
  const count = Math.floor((ms / minuteMs) * perMinute);
  const everyMs = ms / Math.max(1, count);
  // The golden ratio: the times within their parts are spread evenly, and never in step with the polls.
  return Array.from({ length: count }, (_, index) => Math.floor((index + (((index + 1) * golden) % 1)) * everyMs));
}

const golden = 0.618_034;
