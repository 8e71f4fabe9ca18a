import { Untrusted } from "#core/model/ids.ts";
import { fenced } from "#core/prompt/fence.ts";
import { IdleTimeoutError, withIdleTimeout } from "#models/idle-timeout.ts";
import { jsonSchemaOf } from "#models/json-schema.ts";
import type { CallOptions, ToolResults } from "#models/language-model.ts";
import type { ToolCall } from "#models/stream-collector.ts";
import type { Clock } from "#ports/clock.ts";
import type { ModelTool } from "#ports/model.ts";

export interface ToolRound {
  readonly tools: readonly ModelTool[];
  readonly calls: readonly ToolCall[];
  readonly callsLeft: number;
  readonly fence: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly toolMsMax: number;
}

/** In turn, and every call is answered: an unanswered one ends a conversation. */
export async function runTools(round: ToolRound): Promise<ToolResults> {
  const { tools, calls, callsLeft } = round;
  const results: ToolResults = [];
  for (const [index, call] of calls.entries()) {
    const tool = tools.find(({ name }) => name === call.name);
    const answer =
      index >= callsLeft
        ? "No calls are left. Answer now, with what you know."
        : tool === undefined
          ? `There is no such tool. There are: ${tools.map(({ name }) => name).join(", ")}.`
          : await runTool(tool, call, round);
    results.push({
      type: "tool-result",
      toolCallId: call.id,
      toolName: call.name,
      output: { type: "text", value: answer },
    });
  }
  return results;
}

async function runTool(
  tool: ModelTool,
  { input }: ToolCall,
  { fence, signal, clock, toolMsMax }: ToolRound,
): Promise<string> {
  if (input === undefined) return "The arguments cannot be read as JSON.";
  const read = tool.input.safeParse(input);
  if (!read.success) {
    const issues = read.error.issues.slice(0, issuesMax).map(({ path, message }) => `${path.join(".")}: ${message}`);
    return `The arguments are wrong. ${issues.join("; ").slice(0, issueCharactersMax)}`;
  }
  // Given-up work must end: a model can ask for one slow thing after the other.
  const done = new AbortController();
  const wanted = AbortSignal.any([signal, done.signal]);
  try {
    const text = await withIdleTimeout(clock, { ms: toolMsMax, signal }, async () => await tool.run(read.data, wanted));
    const cut = text.length <= toolCharactersMax ? text : `${text.slice(0, toolCharactersMax)}\n[cut off here]`;
    return fenced({ title: `answer of ${tool.name}`, text: Untrusted.parse(cut), form: "code" }, fence);
  } catch (error) {
    // Its message might tell of the machine that it ran on.
    return error instanceof IdleTimeoutError ? "The tool took too long and was given up." : "The tool failed.";
  } finally {
    done.abort();
  }
}

const issuesMax = 5;
const issueCharactersMax = 500;
/** Some ten thousand tokens: more of one file helps no review. Tools that know better cut earlier. */
const toolCharactersMax = 40_000;

export function wireTools(tools: readonly ModelTool[]): Pick<CallOptions, "tools"> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, words, input }) => ({
      type: "function",
      name,
      description: words,
      inputSchema: jsonSchemaOf(input),
    })),
  };
}
