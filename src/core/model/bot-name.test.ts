import { expect, it } from "vitest";
import { kindByName } from "#core/model/bot-name.ts";

it.each([
  "renovate[bot]",
  "ci-bot",
  "CI_BOT",
  "release.bot",
  "Renovate",
  "dependabot",
  "gitea-actions",
  "forgejo-actions",
])("the login %s is that of a bot", (login) => {
  expect(kindByName(login)).toBe("bot");
});

it.each(["talbot", "bot", "abbot", "botany", "bot-lover", "robot", "renovate-fan", "ada"])(
  "the login %s is that of a person",
  (login) => {
    expect(kindByName(login)).toBe("person");
  },
);
