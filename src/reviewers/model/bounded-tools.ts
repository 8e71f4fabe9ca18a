import { estimateTokens } from "#core/prompt/token-estimate.ts";
import type { ModelTool } from "#ports/model.ts";
import { fitText } from "#reviewers/model/repository-guidelines.ts";

const nothingMoreWords = "Nothing more can be looked up. Answer now, with what you know.";

/** Every result is sent again with each further request and must fit into the window beside the change. */
export function boundTools(tools: readonly ModelTool[], tokensMax: number): readonly ModelTool[] {
  let left = tokensMax;
  return tools.map((tool) => ({
    ...tool,
    run: async (input, signal) => {
      if (left <= 0) return nothingMoreWords;
      const answer = await tool.run(input, signal);
      const tokens = estimateTokens(answer);
      const shown =
        tokens <= left ? answer : `${fitText(answer, left).text}\n(cut here, and nothing more can be looked up)`;
      left -= tokens;
      return shown;
    },
  }));
}
