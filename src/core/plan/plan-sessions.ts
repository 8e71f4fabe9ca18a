import type { Action } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Observation } from "#core/model/observation.ts";
import type { SessionTrouble, Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { droppedSession, sessionTrouble, tooManyRounds } from "#core/words/session-words.ts";

/** One at a time; what arrives while it runs is its next message. People are called when it cannot go on. */
export function planSessions(seen: Observation, situation: Situation): readonly Action[] {
  const { fixing, heads } = situation;
  const head = heads.current.sha;
  switch (fixing.kind) {
    case "off":
    case "idle":
      return [];
    case "start": {
      const { purpose, feedback, allowance } = fixing;
      const attempt = seen.records.sessions.length + 1;
      return [
        {
          kind: "start_session",
          key: actionKey("start_session", head, purpose, attempt),
          head,
          purpose,
          feedback,
          allowance,
        },
      ];
    }
    case "running":
      return runningSession(seen, fixing);
    case "waiting":
      return fixing.trouble === null ? [] : callForUnbegun(seen, fixing.trouble);
    case "exhausted":
      return fixing.why === "rounds"
        ? planEscalation(seen, {
            key: actionKey("escalate", "sessions", "rounds", "pull"),
            severity: "blocking",
            text: tooManyRounds(seen.rules.handle),
          })
        : callFor(seen, fixing.trouble, "blocking");
    default:
      return never(fixing);
  }
}

/** The obstacle to sessions may pass by itself; if it does not, people have to know. */
function callForUnbegun(seen: Observation, trouble: SessionTrouble): readonly Action[] {
  if (!trouble.isUnbegun || trouble.count < seen.rules.fix.attemptsMax) return [];
  return callFor(seen, trouble, "warning");
}

/** One comment for each cause. People are called with the first one about a subject. */
function callFor(seen: Observation, trouble: SessionTrouble, severity: "warning" | "blocking"): readonly Action[] {
  const about = actionKey("escalate", "sessions", trouble.subject);
  const isCalled = seen.records.escalations.some((key) => key.startsWith(`${about}/`));
  const text = sessionTrouble(trouble, seen.rules.handle);
  const key = actionKey("escalate", "sessions", trouble.subject, digestOf(trouble.cause));
  const escalation = planEscalation(seen, { key, severity, text });
  return isCalled ? escalation.map((action) => ({ ...action, to: [] })) : escalation;
}

function runningSession(
  seen: Observation,
  fixing: Extract<Situation["fixing"], { readonly kind: "running" }>,
): readonly Action[] {
  const { session, toSend, mustStop } = fixing;
  if (mustStop) {
    const known = seen.records.sessions.find(({ id }) => id === session);
    const text = seen.pull.state === "open" || known === undefined ? null : droppedSession(seen, known);
    return [{ kind: "stop_session", key: actionKey("stop_session", session), session, text }];
  }
  if (toSend.length === 0) return [];
  return [
    {
      kind: "message_session",
      key: actionKey("message_session", session, digestOf(JSON.stringify(toSend))),
      session,
      feedback: toSend,
    },
  ];
}
