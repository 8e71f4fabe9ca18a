import { z } from "zod";
import type { CallOptions, FinishReason, WireUsage } from "#models/language-model.ts";
import type { ModelClient } from "#models/model-client.ts";

export interface WireBody {
  readonly body: Readonly<Record<string, unknown>>;
  /** Features that the package asks for in a header. */
  readonly betas: readonly string[];
}

/** Built by the provider's package and not sent, so that a batch says exactly what a live call would. */
export async function wireBodyOf(model: ModelClient, options: CallOptions): Promise<WireBody> {
  let heard: WireBody | undefined;
  const language = model.withFetch(async (_, init) => {
    const body = Body.parse(JSON.parse(typeof init?.body === "string" ? init.body : "null"));
    const betas = new Headers(init?.headers).get("anthropic-beta") ?? "";
    heard = { body, betas: betas.split(",").filter((beta) => beta !== "") };
    throw new NotSent("the body was all that was wanted");
  });
  try {
    await language.doGenerate(options);
  } catch (error) {
    if (heard === undefined) throw error;
  }
  if (heard === undefined) throw new Error(`the package of ${model.name} sent nothing`);
  return heard;
}

class NotSent extends Error {}

const Body = z.record(z.string(), z.unknown());

export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ReadBody {
  readonly text: string;
  readonly finish: FinishReason["unified"];
  readonly usage: WireUsage;
}

export async function readWireAnswer(
  model: ModelClient,
  options: CallOptions,
  { status, body }: WireAnswer,
): Promise<ReadBody> {
  const headers = { "content-type": "application/json" };
  const language = model.withFetch(async () => new Response(JSON.stringify(body), { status, headers }));
  const { content, finishReason, usage } = await language.doGenerate(options);
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return { text, finish: finishReason.unified, usage };
}
