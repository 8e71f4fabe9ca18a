import { minuteMs, secondMs } from "#core/model/instant.ts";
import { codePath, linesAt } from "./content.ts";
import { tryTo } from "./deed.ts";
import { remarkOn } from "./deeds-signs.ts";
import type { World } from "./world.ts";

/** What brings a life to an effect that chance alone meets in fewer than one of a hundred. */
export type Scene = "session" | "sleeper";

export function sceneOf(target: { readonly crossing: string } | null): Scene | null {
  if (target === null) return null;
  if (/ session_re(?:ply|port) | review_request |forge\.requestReviews /.test(target.crossing)) return "session";
  return / blanked /.test(target.crossing) ? "sleeper" : null;
}

/** Somebody with a say asks for changes, in a thread, of code that an agent can mend. */
export async function playSession(world: World, goOn: (ms: number) => Promise<void>): Promise<void> {
  const { sandbox, cast, repository, hub } = world;
  const [pull] = world.pulls;
  if (pull === undefined) return;
  const { head } = sandbox.look(pull).pull;
  const name = `staged${world.minds.nextName++}`;
  await tryTo(world, "ada pushes something to be mended", async () => {
    const lines = [...linesAt(hub, head.sha), `export const ${name} = "defect-5-${name}";`];
    const changes = { [codePath]: `${lines.join("\n")}\n` };
    await sandbox.as(cast.ada).push({ repository, branch: head.branch, changes, message: "staged" });
  });
  await goOn(30 * secondMs);
  await tryTo(world, "mia asks for changes on a line", async () => {
    const remarks = [remarkOn(world, sandbox.look(pull).pull.head.sha)];
    await sandbox.as(cast.mia).review(pull, { event: "request_changes", body: "Not like this.", remarks });
  });
  await goOn(6 * minuteMs);
}
