import type { Action } from "#core/model/action.ts";
import { digestOf } from "#core/model/digest.ts";
import type { Observation } from "#core/model/observation.ts";
import type { Situation } from "#core/model/situation.ts";
import { never } from "#core/never.ts";
import { actionKey } from "#core/plan/action-key.ts";
import { planEscalation } from "#core/plan/plan-escalation.ts";
import { exhaustedSessions } from "#core/words/session-words.ts";

/** One session at a time; what arrives while it runs is its next message, and when it cannot go on people are called. */
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
      return runningSession(fixing);
    case "exhausted":
      return planEscalation(seen, {
        key: actionKey("escalate", "sessions", fixing.why, fixing.subject),
        severity: "blocking",
        text: exhaustedSessions(fixing.why),
      });
    default:
      return never(fixing);
  }
}

function runningSession(fixing: Extract<Situation["fixing"], { readonly kind: "running" }>): readonly Action[] {
  const { session, toSend, mustStop } = fixing;
  if (mustStop) return [{ kind: "stop_session", key: actionKey("stop_session", session), session }];
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
