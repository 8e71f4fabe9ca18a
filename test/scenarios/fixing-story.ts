import { meaningOf } from "#core/derive/meaning.ts";
import type { SessionRecord } from "#core/model/records.ts";
import { changeSession } from "#testing/fake-pull/apply-action.ts";
import { editComment, type FakePull } from "#testing/fake-pull/fake-pull.ts";
import { type Event, head, idOf, pushes, type SomeRules } from "./story.ts";

export const onFeedback: SomeRules = { fix: { onFeedback: true } };

/** The session that runs comes to its end. */
export function ends(state: SessionRecord["state"]): Event {
  return (pull) => {
    const busy = pull.records.sessions.find((session) => session.state.kind === "running");
    return busy === undefined
      ? pull
      : changeSession(pull, busy.id, (one) => ({ ...one, state, endedAt: pull.observedAt }));
  };
}

/** It pushes, and everybody sees the new head. */
export function pushesFix(number: 2 | 3 | 4 | 5 | 6): Event {
  const pushed = { kind: "pushed", head: head(number), diff: `diff ${number}` } as const;
  return (pull) => pushes(head(number))(ends(pushed)(pull));
}

export const failed: Event = ends({ kind: "failed", why: "the agent gave up" });
export const stalled: Event = ends({ kind: "stalled", why: "no commit" });

export function given(pull: FakePull): readonly (readonly string[])[] {
  return pull.records.sessions.map((session) => session.feedback);
}

export function running(pull: FakePull): number {
  return pull.records.sessions.filter((session) => session.state.kind === "running").length;
}

/** The agent has read what it was given. */
export const readsAll: Event = (pull) => ({
  ...pull,
  records: {
    ...pull.records,
    sessions: pull.records.sessions.map((session) => ({ ...session, meanings: meaningsIn(pull, session.feedback) })),
  },
});

function meaningsIn(pull: FakePull, ids: readonly string[]): Record<string, string> {
  const found = pull.comments.filter(({ id }) => ids.includes(id));
  return Object.fromEntries(found.map(({ id, body }) => [id, meaningOf(body)]));
}

/** It pushes something else than what it was asked for. */
export function past(number: 2 | 3 | 4): Event {
  return (pull) => {
    const read = readsAll(pull);
    const busy = read.records.sessions.findLast((session) => session.state.kind === "running");
    if (busy === undefined) return read;
    const left = busy.feedback.map((id) => ({ id, why: "Nobody mentioned it." }));
    return pushesFix(number)(changeSession(read, busy.id, (session) => ({ ...session, feedback: [], left })));
  };
}

export const respells: Event = (pull) => editComment(pull, idOf(pull, "Rename it."), "Rename it!");
