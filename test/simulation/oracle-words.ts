import { shownText } from "./own-text.ts";
import type { Installation, World } from "./world.ts";

/** Nothing that a bot writes is a command, to anybody, or calls people whom nobody told it to call. */
export function textProblem(world: World, installation: Installation, body: string): string | null {
  const shown = shownText(body);
  for (const { handle } of world.installations) {
    if (new RegExp(`(?<![\\w/.-])${handle}(?![\\w-])`, "i").test(shown))
      return `writes a live ${handle}: ${cut(shown)}`;
  }
  const called = [...shown.matchAll(/(?<![\w/.-])@([a-z][\w-]*)/gi)].map(([, login = ""]) => login.toLowerCase());
  // After a push the reviewers are asked for another look, and those are people.
  const isReport = shown.includes("Please have another look.");
  const people = ["ada", "rita", "mia", "otto"].filter(() => isReport);
  const stranger = called.find((login) => ![...installation.rules.humans, ...people].includes(login));
  return stranger === undefined ? null : `calls ${stranger}: ${cut(shown)}`;
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
