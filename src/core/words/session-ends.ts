/** Kept with the session, and shown wherever it is told of. */
export const sessionEndWords = {
  headMovedBefore: "The head moved before the session began.",
  headMovedMeanwhile: "The head moved while the session was at work, so its change was not pushed.",
  fork: "The head is in a fork, where Drover cannot push.",
  conflict: "Conflicts cannot be resolved by a session yet.",
  noAgent: "No coding agent is configured.",
  unableAgent: "The coding agent that is configured cannot do this.",
  noHead: "Git does not have the head of this pull.",
  unwritable: "The head names files that no folder may hold.",
  interrupted: "The session was interrupted before it had a result.",
  repeated: "The session made the same change as one before.",
  notFastForward: "The change does not follow the branch.",
  unknownHistory: "The history of the branch is not known.",
  pushRejected: "The forge rejected the push: the branch may be protected, or the token may not write to it.",
} as const;

export function gitFailed(message: string): string {
  return `Git failed: ${message}`;
}

export function repositoryTooLarge(limit: string, max: number): string {
  return `The repository is too large for a session (${limit} ${max}).`;
}

export function overTime(limit: string): string {
  return `The session reached its limit of ${limit}.`;
}

export const notMentioned = "The agent did not report a result for it.";

const reasonsShownMax = 3;

export function withoutChange(reasons: readonly string[]): string {
  const told = [...new Set(reasons.map((reason) => reason.trim()).filter((reason) => reason !== ""))];
  if (told.length === 0) return "The session ended without a change, and the agent did not say why.";
  const more = told.length > reasonsShownMax ? ` (and ${told.length - reasonsShownMax} more reasons)` : "";
  return `The session ended without a change: ${told.slice(0, reasonsShownMax).join(" ")}${more}`;
}

const problemsShownMax = 5;

export function refusedChange(
  problems: readonly { readonly path: string; readonly why: keyof typeof importProblems }[],
): string {
  const shown = problems.slice(0, problemsShownMax).map(({ path, why }) => `${path} ${importProblems[why]}`);
  const more = problems.length - shown.length;
  return `The change was refused: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
}

const importProblems = {
  link_outside: "is a link that leads out of the repository",
  special_file: "is no ordinary file",
  hard_link: "is a hard link",
  nested_repository: "is a repository of its own",
  submodule_changed: "is a submodule, which sessions do not change",
  protected_path: "is protected",
  odd_name: "has a name that not every system can hold",
  case_collision: "differs from another path by upper and lower case alone",
  unreadable: "could not be read",
  entriesMax: "is one file too many",
  changesMax: "is one changed file too many",
  fileBytesMax: "is too large",
  changedBytesMax: "makes the change too large",
  pathBytesMax: "has a path that is too long",
} as const;
