import type { Rules } from "#core/model/rules.ts";

type Role = Rules["reviews"]["roles"][number];

/** Without roles for models it plays a new role `general`; a role of fixed rules with that name becomes `rules`. */
export function assignRolesToModel(rules: Rules, model: string): Rules {
  const { roles } = rules.reviews;
  const isPlayed = roles.some(({ reviewer }) => reviewer === "model");
  const played = isPlayed
    ? roles.map((role) => (role.reviewer === "model" ? { ...role, model } : role))
    : [{ name: "general", reviewer: "model" as const, model }, ...roles.map((role) => moveAside(role, roles))];
  return { ...rules, reviews: { ...rules.reviews, roles: played } };
}

function moveAside(role: Role, roles: readonly Role[]): Role {
  if (role.name !== "general") return role;
  const taken = new Set(roles.map(({ name }) => name));
  return { ...role, name: taken.has("rules") ? "general-rules" : "rules" };
}

/** The fixed rules review if no other role is left. */
export function withoutModelRoles(rules: Rules): Rules {
  const left = rules.reviews.roles.filter(({ reviewer }) => reviewer !== "model");
  const roles = left.length > 0 ? left : [{ name: "general", reviewer: "rules" as const }];
  return { ...rules, reviews: { ...rules.reviews, roles } };
}
