import { type Scene, tellStory } from "#app/demo/story.ts";
import type { Terminal } from "#cli/terminal.ts";

const pauseMs = 1_500;

/** `drover demo`: the story of one pull, scene by scene. */
export async function demo(
  options: { readonly isFast: boolean; readonly isJson: boolean },
  terminal: Terminal,
): Promise<number> {
  if (options.isJson) {
    terminal.out(`${JSON.stringify([...tellStory()], null, 2)}\n`);
    return 0;
  }
  terminal.out("Drover, the story of one pull from opened to merged (told on paper: no forge is touched)\n");
  for (const scene of tellStory()) {
    terminal.out(asText(scene));
    if (!options.isFast && terminal.isInteractive) await terminal.sleep(pauseMs);
  }
  terminal.out("\nThe end. `drover explain --observation FILE.json` does the same for a pull of your own.\n");
  return 0;
}

function asText(scene: Scene): string {
  const did = scene.did.length === 0 ? ["nothing"] : scene.did;
  return [
    "",
    `${scene.at}  ${scene.title}`,
    `  saw      ${scene.saw}`,
    `  decided  ${scene.decided}`,
    ...did.map((line, index) => `  ${index === 0 ? "did" : "   "}      ${line}`),
    "",
  ].join("\n");
}
