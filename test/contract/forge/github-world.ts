import type { Account } from "#core/model/account.ts";
import type { Comment, Thread } from "#core/model/conversation.ts";
import { CommentId, ThreadId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import { reviewOfText } from "#core/model/review-text.ts";
import { createGithubClient, type GithubAccess } from "#forges/github/github-client.ts";
import type { Sandbox } from "#forges/sandbox/sandbox.ts";
import { nodeId, readNodeId } from "#github-like/node-id.ts";
import { type GithubLike, serveGithubLike } from "#github-like/serve-github-like.ts";
import type { Clock } from "#ports/clock.ts";
import type { Forge } from "#ports/forge.ts";
import type { PullRef } from "#ports/pull-ref.ts";
import { openSandboxWorld } from "./sandbox-world.ts";
import type { ForgePerson, ForgeTruth, ForgeWorld } from "./world.ts";

/**
 * GitHub as far as one can have it here: people are at the sandbox itself, and the client speaks HTTP to a server that
 * answers for it as GitHub does. Bots have an App each, or like everybody else a plain token.
 */
export async function githubWorld(bots: "app" | "token"): Promise<ForgeWorld> {
  const { sandbox, world } = openSandboxWorld("github", {});
  // Keys and tokens are made and judged by the machine's own clock.
  const served = await serveGithubLike({ sandbox, tokenClock: { now: () => instant(Date.now()) } });
  const forgeClock: Clock = { now: () => world.now(), sleep: async () => undefined };
  const installed = new Map<string, GithubAccess>();
  return {
    ...world,
    addAccount: ({ login, kind }) =>
      world.addAccount(kind === "bot" && bots === "app" ? { login: `${login}[bot]`, kind } : { login, kind: "person" }),
    as: (account) => translatedPerson(world.as(account), served),
    clientOf(account, clock = forgeClock) {
      const access = installed.get(account.id) ?? accessOf(served, account);
      installed.set(account.id, access);
      const client = createGithubClient({ url: served.url, access, clock });
      return { ...client, fetchRemote: (...asked) => memoryRemote({ client, sandbox, account }, asked) };
    },
    look: async (pull) => translatedTruth(await world.look(pull), pull, served),
    async close() {
      await served.close();
      const faults = served.violations;
      if (faults.length > 0) throw new Error(`GitHub's schema was violated:\n${faults.join("\n")}`);
    },
  };
}

function accessOf(served: GithubLike, account: Account): GithubAccess {
  if (account.kind === "bot") {
    const { id, privateKey } = served.installApp({ bot: account });
    return { kind: "app", appId: String(id), privateKey, installation: null };
  }
  const token = `ghp_${account.login}`;
  served.tokens.set(token, account);
  return { kind: "token", token };
}

/** Git is in memory here: what the client names is asked for, and another address of the same repository is given. */
async function memoryRemote(
  { client, sandbox, account }: { readonly client: Forge; readonly sandbox: Sandbox; readonly account: Account },
  asked: Parameters<Forge["fetchRemote"]>,
): ReturnType<Forge["fetchRemote"]> {
  await client.fetchRemote(...asked);
  return await sandbox.clientOf(account).fetchRemote(...asked);
}

/** People go by the same ids as the client: the letter of the comment's kind, and the number that GitHub gives it. */
function translatedPerson(person: ForgePerson, served: GithubLike): ForgePerson {
  return {
    ...person,
    comment: async (pull, body) => outward(served, "issue", await person.comment(pull, body)),
    editComment: (pull, comment, body) => person.editComment(pull, inward(served, comment), body),
    deleteComment: (pull, comment) => person.deleteComment(pull, inward(served, comment)),
    reply: async (pull, thread, body) =>
      outward(served, "review", await person.reply(pull, sandboxThread(thread), body)),
    resolveThread: (pull, thread) => person.resolveThread(pull, sandboxThread(thread)),
  };
}

function translatedTruth(truth: ForgeTruth, pull: PullRef, served: GithubLike): ForgeTruth {
  const inThreads = new Set(truth.threads.flatMap(({ comments }) => comments).map(({ id }) => id));
  const rename = (space: "issue" | "review") => (comment: Comment) => ({
    ...comment,
    id: outward(served, space, comment.id),
  });
  return {
    ...truth,
    comments: truth.comments.map(rename("issue")),
    threads: truth.threads.map((thread) => ({
      ...thread,
      id: githubThread(pull, thread),
      comments: thread.comments.map(rename("review")),
    })),
    commentReactions: truth.commentReactions.map((reaction) => ({
      ...reaction,
      comment:
        reviewOfText(reaction.comment) === undefined
          ? outward(served, inThreads.has(reaction.comment) ? "review" : "issue", reaction.comment)
          : reaction.comment,
    })),
  };
}

function outward(served: GithubLike, space: "issue" | "review", comment: CommentId): CommentId {
  return CommentId.parse(`${space === "issue" ? "i" : "r"}${served.commentNumber(space, comment)}`);
}

function inward(served: GithubLike, comment: CommentId): CommentId {
  const found = served.findComment(comment.startsWith("i") ? "issue" : "review", Number(comment.slice(1)));
  if (found === undefined) throw new Error(`there is no comment ${comment}`);
  return found;
}

function githubThread({ repository, number }: PullRef, { id }: Pick<Thread, "id">): ThreadId {
  return ThreadId.parse(nodeId("PRRT", repository.id, number, id));
}

function sandboxThread(thread: ThreadId): ThreadId {
  return ThreadId.parse(readNodeId(thread)?.path[2]);
}
