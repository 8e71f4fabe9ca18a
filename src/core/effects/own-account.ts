import { foldName } from "#core/fold-name.ts";
import type { Account } from "#core/model/account.ts";
import { AccountId } from "#core/model/ids.ts";
import type { Instant } from "#core/model/instant.ts";
import type { Observation } from "#core/model/observation.ts";

/** For a token that need not be Drover's. */
export interface OwnAccount {
  readonly bot: Account;
  /** One of them may be Drover as well, so none of them approves anything. */
  readonly doubtful: readonly Account[];
}

type Seen = Pick<Observation, "pull" | "comments" | "reviews" | "threads" | "reactions">;

/** Anybody can write such a mark, and only takes the weight from their own words. Each approval of Drover's has one. */
export function findOwnAccount(
  seen: Seen,
  { owner, told }: { readonly owner: Account; readonly told: string | undefined },
): OwnAccount {
  if (told !== undefined) return { bot: accountNamed(seen, { owner, told }), doubtful: [] };
  const marked = markedAccounts(seen);
  const bot = marked.find(({ id }) => id === owner.id) ?? marked[0];
  if (bot === undefined) return { bot: owner.kind === "bot" ? owner : nobodyNamed("drover"), doubtful: [] };
  return { bot, doubtful: marked.filter(({ id }) => id !== bot.id) };
}

function accountNamed(seen: Seen, { owner, told }: { readonly owner: Account; readonly told: string }): Account {
  const name = foldName(told.replace(/^@/, ""));
  const all = [owner, seen.pull.author, ...textsOf(seen).map(({ author }) => author)];
  const people = [...all, ...seen.reactions.map(({ author }) => author)];
  return people.find(({ id, login }) => id === told || foldName(login) === name) ?? nobodyNamed(told);
}

/** No forge counts its accounts from there: nothing on the pull is theirs. */
function nobodyNamed(login: string): Account {
  return { id: AccountId.parse("0"), login, kind: "bot" };
}

/** A copy is younger than its original. */
function markedAccounts(seen: Seen): readonly Account[] {
  const marked = textsOf(seen).filter(({ body }) => isMarked(body));
  const inTime = marked.toSorted((left, right) => left.at - right.at);
  return [...new Map(inTime.map(({ author }) => [author.id, author])).values()];
}

interface AuthoredText {
  readonly author: Account;
  readonly body: string;
  readonly at: Instant;
}

function textsOf({ comments, reviews, threads }: Seen): readonly AuthoredText[] {
  const said = [...comments, ...threads.flatMap((thread) => thread.comments)];
  return [
    ...said.map(({ author, body, createdAt }) => ({ author, body, at: createdAt })),
    ...reviews.map(({ author, body, submittedAt }) => ({ author, body, at: submittedAt })),
  ];
}

/** Drover puts it into the head of a text; further down it is a quotation. */
const headLinesMax = 3;

function isMarked(body: string): boolean {
  return body.split("\n", headLinesMax).some((line) => line.startsWith("<!-- drover:"));
}
