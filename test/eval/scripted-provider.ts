import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import type { SaidFinding } from "#reviewers/model/review-answer.ts";

/** A provider on this machine whose models say what they are told to say about a change. */
export interface ScriptedProvider {
  /** The operator's file: a role that is played by the model of this name, and others beside it. */
  configOf(model: string, otherRoles?: readonly string[]): string;
  /** What was sent, as text. */
  readonly requests: () => readonly string[];
  close(): Promise<void>;
}

/** What a model finds in a change, by what it reads. */
export type Script = (asked: { readonly model: string; readonly text: string }) => readonly SaidFinding[];

export async function openScriptedProvider(script: Script): Promise<ScriptedProvider> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  const url = await mock.start();
  const bodies: string[] = [];
  mock.addFixture({
    match: { predicate: () => true },
    response: (request) => {
      bodies.push(JSON.stringify(request.messages));
      return { content: JSON.stringify(answerTo(request, script)) };
    },
  });
  return {
    configOf: (model, otherRoles = []) =>
      [
        "rules:",
        "  reviews:",
        "    roles:",
        "      - { name: general, reviewer: model }",
        ...otherRoles.map((role) => `      - ${role}`),
        "models:",
        "  usual:",
        "    chain:",
        `      - { provider: compatible, model: ${model}, baseUrl: "${url}/v1" }`,
        "prices:",
        `  ${model}: { input: 1, cached: 0.1, output: 5 }`,
        "",
      ].join("\n"),
    requests: () => bodies,
    close: async () => await mock.stop(),
  };
}

/** The three turns: find, look across the repository, verify. */
function answerTo({ model, messages }: ChatCompletionRequest, script: Script) {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const findings = script({ model, text: messages.map(({ content }) => JSON.stringify(content)).join("\n") });
  const verdicts = findings.map(({ id, score, message }) => ({ id, holds: "yes", score, why: message }));
  const nothing = { summary: "", findings: [], verdicts: [] };
  return turn === 0 ? { ...nothing, findings } : turn === 1 ? nothing : { ...nothing, verdicts };
}
