import type { Agent } from "#ports/agent.ts";
import { suggestionsAgent } from "#sessions/agents/suggestions/suggestions-agent.ts";
import type { WorkspaceFiles } from "#sessions/agents/suggestions/workspace-file.ts";
import type { MemoryGit } from "#testing/memory-git/memory-git.ts";
import type { Border } from "./border.ts";

/** Drover's own agent, which applies suggestions, on folders in memory. */
export function createSimSuggester({ border, git }: { readonly border: Border; readonly git: MemoryGit }): Agent {
  const agent = suggestionsAgent(memoryFiles(git));
  return {
    ...agent,
    async run(job) {
      await border.cross({ point: "agent.run", phase: "before", ms: [1_000, 60_000] });
      const outcome = await agent.run(job);
      await border.cross({ point: "agent.run", phase: "after", ms: [0, 0] });
      return outcome;
    },
  };
}

function memoryFiles(git: MemoryGit): WorkspaceFiles {
  return {
    async read(workspace, path) {
      const text = git.findFolder(workspace)?.read(path);
      return text === undefined ? { kind: "refused", why: "no_file" } : { kind: "text", text };
    },
    async write(workspace, path, text) {
      const folder = git.findFolder(workspace);
      folder?.write(path, text);
      return folder === undefined ? "unwritable" : null;
    },
  };
}
