import { minuteMs, secondMs } from "#core/model/instant.ts";
import { never } from "#core/never.ts";
import type { ReviewRemark } from "#ports/forge.ts";
import { suggestedPath } from "./content.ts";
import { tryTo } from "./deed.ts";
import { type Play, say } from "./play.ts";
import { removedText, type Suggestion, suggestedLines, textLines } from "./suggestions.ts";
import type { World } from "./world.ts";

/** All sets of suggestions are tried to explain a push, so there are few. */
const suggestionsMax = 8;

/** People suggest changes of every shape, the author moves and changes lines meanwhile, and Drover applies what it can. */
export async function playSuggestions(play: Play): Promise<void> {
  const { world, pull, installation, goOn } = play;
  const { chance, cast, sandbox } = world;
  await goOn(minuteMs);
  for (let round = 0; round < 3 && world.problem === null; round++) {
    if (sandbox.look(pull).pull.state !== "open") return;
    for (let count = 1 + chance.below(3); count > 0; count--) await suggest(play);
    await goOn(chance.pick([0, secondMs, 30 * secondMs]));
    if (chance.isTrue(0.6)) await moveLines(play);
    if (!installation.rules.fix.onFeedback || chance.isTrue(0.2)) await say(play, cast.mia, "fix");
    await goOn(chance.pick([20 * secondMs, 2 * minuteMs, 5 * minuteMs, 8 * minuteMs]));
  }
}

async function suggest({ world, pull }: Play): Promise<void> {
  const { chance, cast, sandbox, suggestions } = world;
  const { head } = sandbox.look(pull).pull;
  if (suggestions.made.length >= suggestionsMax) return;
  const by = chance.pick([cast.rita, cast.rita, cast.mia, cast.mia, cast.otto]);
  const side = chance.isTrue(0.15) ? "old" : "new";
  const lines = side === "old" ? textLines(removedText) : suggestedLines(world, head.sha);
  if (lines.length === 0) return;
  const last = 1 + chance.below(lines.length);
  const first = Math.max(1, last - chance.pick([0, 0, 1, 2]));
  // Gitea knows remarks on one line alone.
  const start = sandbox.manner === "github" ? first : last;
  const before = lines.slice(start - 1, last);
  const { body, after } = drawBody(world, before);
  const remark: ReviewRemark = { path: suggestedPath, side, lines: { first, last }, body };
  await tryTo(
    world,
    `${by.login} suggests on ${side} lines ${first} to ${last}: ${JSON.stringify(after)}`,
    async () => {
      await sandbox.as(by).review(pull, { event: "comment", body: "", remarks: [remark] });
      const made = sandbox.history.findLast(({ what, by: who }) => what.kind === "reviewed" && who.id === by.id)?.what;
      const thread = made?.kind === "reviewed" ? made.threads[0] : undefined;
      if (made?.kind !== "reviewed" || thread === undefined) return;
      // A push may have come in between: the forge shows the remark on the lines of that commit.
      const commit = made.head;
      const shown = side === "old" ? before : suggestedLines(world, commit).slice(start - 1, last);
      const factsBefore = world.facts.length;
      const told = { pull: pull.number, thread, by: by.id, factsBefore, commit, side } as const;
      suggestions.made.push({ ...told, first: start - 1, before: shown, after });
    },
  );
}

/** The words of a remark, and what they suggest; null where they suggest nothing, or one cannot tell what. */
function drawBody(
  { chance, minds }: World,
  before: readonly string[],
): { readonly body: string; readonly after: Suggestion["after"] } {
  const line = `  suggested(${minds.nextName++});`;
  const lines = chance.pick([[line], [line, "}"], [`${line} // more`, line, ""]]);
  const shape = chance.pick([
    "plain",
    "plain",
    "plain",
    "empty",
    "twice",
    "several",
    "fences",
    "hidden",
    "same",
  ] as const);
  switch (shape) {
    case "plain":
      return { body: `Better:\n${block(lines)}`, after: lines };
    case "empty":
      return { body: block([]), after: [] };
    case "twice":
      return { body: `${block(lines)}\n\nAs I said:\n\n${block(lines)}`, after: lines };
    case "several":
      return { body: `${block([line])}\nor\n${block([`${line} // or`])}`, after: null };
    case "fences": {
      const fenced = ["```js", line, "```"];
      return { body: ["````suggestion", ...fenced, "````"].join("\n"), after: fenced };
    }
    case "hidden": {
      const quoted = block([line]).replaceAll(/^/gm, "> ");
      const body = chance.pick([quoted, `<!--\n${block([line])}\n-->`, `\`\`\`suggestion\n${line}`]);
      return { body: `Hm.\n\n${body}`, after: null };
    }
    case "same":
      return { body: block(before), after: before };
    default:
      return never(shape);
  }
}

/** A fence that is longer than those in the lines: a shorter one would end the block. */
function block(lines: readonly string[]): string {
  const fence = lines.some((line) => line.startsWith("```")) ? "````" : "```";
  return [`${fence}suggestion`, ...lines, fence].join("\n");
}

/** The author puts lines in, takes some out, or writes one anew. */
async function moveLines({ world, pull }: Play): Promise<void> {
  const { chance, cast, sandbox, repository, minds } = world;
  const { head } = sandbox.look(pull).pull;
  const lines = [...suggestedLines(world, head.sha)];
  const at = chance.below(lines.length + 1);
  const what = chance.pick(["puts in", "puts in", "takes out", "writes anew"] as const);
  const text = `// moved ${minds.nextName++}`;
  const taken = what === "puts in" ? 0 : 1;
  const put = what === "takes out" ? [] : [text];
  lines.splice(at, taken, ...put);
  await tryTo(world, `ada ${what} line ${at + 1}`, async () => {
    const changes = { [suggestedPath]: lines.map((line) => `${line}\n`).join("") };
    await sandbox.as(cast.ada).push({ repository, branch: head.branch, changes, message: "moved" });
  });
}
