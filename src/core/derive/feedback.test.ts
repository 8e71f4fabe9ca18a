import { expect, it } from "vitest";
import { isFriendly } from "#core/derive/feedback.ts";

it.each([
  "LGTM, thanks!",
  "lgtm",
  "Looks good to me 👍",
  "Thank you so much for fixing this!!!",
  "Nice work, @ada. Ship it :rocket:",
  "+1",
  "🎉🎉",
  "❤️",
  "Thanks :)",
  "Great catch, thanks again.",
  "This looks really good now. Well done!",
])("the friendly remark %j asks for nothing", (text) => {
  expect(isFriendly(text)).toBe(true);
});

it.each([
  "",
  "LGTM, but rename it.",
  "LGTM?",
  "Thanks! Please rename it.",
  "Not good.",
  "Nice, except for the name",
  "good grief, this leaks",
  "Thanks for nothing",
  "okay so why does this work",
  "lgtmx",
  "Looks good to me if the tests pass",
  "Perfect ".repeat(100),
  "`good`",
])("the remark %j does not count as merely friendly", (text) => {
  expect(isFriendly(text)).toBe(false);
});
