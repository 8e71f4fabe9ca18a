import { z } from "zod";
import { errorText } from "#core/error-text.ts";

/** The event only says where to look and what the run may do. */
export type EventRead =
  | {
      readonly kind: "pull";
      readonly repository: string | null;
      readonly number: number;
      /** The runner gives a job for a fork's code a token that only reads, and no secrets. */
      readonly isReadOnly: boolean;
    }
  | { readonly kind: "no_pull"; readonly why: string }
  | { readonly kind: "unreadable"; readonly why: string };

const Repository = z.object({ full_name: z.string() });
const Event = z.object({
  repository: Repository.optional(),
  pull_request: z
    .object({
      number: z.number().int().positive(),
      head: z.object({ repo: Repository.nullish() }).optional(),
      base: z.object({ repo: Repository.nullish() }).optional(),
    })
    .optional(),
  issue: z.object({ number: z.number().int().positive(), pull_request: z.looseObject({}).nullish() }).optional(),
  sender: z.object({ login: z.string() }).optional(),
});

/** These run the workflow of the pull itself, so forks get no right to write. */
const guardedEvents = new Set(["pull_request", "pull_request_review", "pull_request_review_comment"]);
const dependabot = "dependabot[bot]";

export function readEvent({ name, text }: { readonly name: string | undefined; readonly text: string }): EventRead {
  const event = parse(text);
  if (event.kind === "unreadable") return event;
  const { repository, pull_request: pull, issue, sender } = event.value;
  const common = { kind: "pull", repository: repository?.full_name ?? null } as const;
  if (pull !== undefined) {
    const isForeign = pull.head?.repo?.full_name !== pull.base?.repo?.full_name;
    const isGuarded = name === undefined || guardedEvents.has(name);
    // Jobs that Dependabot starts have none of the secrets, even with the workflow of the base.
    return { ...common, number: pull.number, isReadOnly: (isForeign && isGuarded) || sender?.login === dependabot };
  }
  if (issue === undefined)
    return { kind: "no_pull", why: `the event${name === undefined ? "" : ` ${name}`} names no pull` };
  const isPull = issue.pull_request !== undefined && issue.pull_request !== null;
  if (!isPull) return { kind: "no_pull", why: `#${issue.number} is an issue, not a pull` };
  return { ...common, number: issue.number, isReadOnly: false };
}

function parse(
  text: string,
):
  | { readonly kind: "event"; readonly value: z.infer<typeof Event> }
  | { readonly kind: "unreadable"; readonly why: string } {
  try {
    const read = Event.safeParse(JSON.parse(text));
    if (read.success) return { kind: "event", value: read.data };
    return { kind: "unreadable", why: "it does not have the form of a GitHub event" };
  } catch (error) {
    return { kind: "unreadable", why: errorText(error) };
  }
}
