import { type CommitRequest, GitError } from "#ports/git.ts";

/** Exactly as git stores it, so that the same request has the same name everywhere. */
export function commitText({ tree, parents, message, identity, at }: CommitRequest): string {
  if (!isPlainIdentity(identity.name) || !isPlainIdentity(identity.email) || /\0|\p{Surrogate}/u.test(message)) {
    throw new GitError("bad_request", "a commit's identity or message holds what git cannot store");
  }
  const person = `${identity.name} <${identity.email}> ${Math.floor(at / 1000)} +0000`;
  const header = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  return `${header.join("\n")}\n\n${message.endsWith("\n") ? message : `${message}\n`}`;
}

function isPlainIdentity(text: string): boolean {
  return text.trim() === text && text !== "" && !/[<>\p{Cc}\p{Surrogate}]/u.test(text);
}
