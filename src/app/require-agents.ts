import { StartError } from "#app/start-error.ts";
import type { Rules } from "#core/model/rules.ts";
import type { Agent } from "#ports/agent.ts";

/** Such a switch would fail on every pull, so all of them are reported at the start. */
export function requireAgents({ reviews, fix }: Pick<Rules, "reviews" | "fix">, agent: Agent): void {
  const can = (purpose: "checks" | "conflict"): boolean => agent.serves?.includes(purpose) ?? true;
  const roles = reviews.roles.filter(({ reviewer }) => reviewer === "agent");
  const problems = [
    ...roles.map(
      ({ name }) =>
        `the role "${name}" needs an agent, and no agent here can review: set its reviewer to \`rules\` or \`model\``,
    ),
    ...(fix.onRedChecks && !can("checks")
      ? [`\`rules.fix.onRedChecks\` is on, and no agent here can repair checks${advice}`]
      : []),
    ...(fix.onConflict && !can("conflict")
      ? [`\`rules.fix.onConflict\` is on, and no agent here can resolve conflicts${advice}`]
      : []),
  ];
  if (problems.length > 0) throw new StartError(problems.join("; "));
}

const advice =
  ": the built-in one applies suggestions and nothing else, so set it to `false` (docs/operating/fixing.md)";
