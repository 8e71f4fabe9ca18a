import { describe, expect, it } from "vitest";
import { assignRolesToModel, withoutModelRoles } from "#app/models/assign-model-roles.ts";
import { Rules } from "#core/model/rules.ts";

function rolesOf(rules: Rules): readonly string[] {
  return rules.reviews.roles.map(({ name, reviewer, model }) => `${name}: ${model ?? reviewer}`);
}

function withRoles(...roles: readonly object[]): Rules {
  return Rules.parse({ reviews: { roles } });
}

describe("a model that is named beside the rules", () => {
  it("plays the general role, and the fixed rules go on under their own name", () => {
    expect(rolesOf(assignRolesToModel(Rules.parse({}), "asked"))).toEqual(["general: asked", "rules: rules"]);
  });

  it("plays the roles that a model was to play anyway, and no other", () => {
    const rules = withRoles({ name: "general", reviewer: "rules" }, { name: "deep", reviewer: "model", model: "big" });
    expect(rolesOf(assignRolesToModel(rules, "asked"))).toEqual(["general: rules", "deep: asked"]);
  });

  it("gives no two roles the same name", () => {
    const rules = withRoles({ name: "rules", reviewer: "rules" }, { name: "general", reviewer: "rules" });
    const played = assignRolesToModel(rules, "asked");
    expect(rolesOf(played)).toEqual(["general: asked", "rules: rules", "general-rules: rules"]);
    expect(Rules.safeParse(played).success).toBe(true);
  });
});

describe("rules without models", () => {
  it("leave out what only a model can play, and look all the same", () => {
    const both = withRoles({ name: "style", reviewer: "rules" }, { name: "deep", reviewer: "model" });
    expect(rolesOf(withoutModelRoles(both))).toEqual(["style: rules"]);
    expect(rolesOf(withoutModelRoles(withRoles({ name: "deep", reviewer: "model" })))).toEqual(["general: rules"]);
  });
});
