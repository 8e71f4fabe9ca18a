import { open } from "node:fs/promises";
import process from "node:process";
import { StartError } from "#app/serve/block-secret-file.ts";
import { codeOrText } from "#core/error-code.ts";
import { counted } from "#core/words/counted.ts";

/** The bytes of a given diff; `-` is standard input. They need not be text. */
export async function readDiffFile(path: string, bytesMax: number): Promise<Uint8Array> {
  if (path === "-") return await gather(process.stdin, { name: "standard input", bytesMax });
  try {
    const file = await open(path, "r");
    try {
      return await gather(file.createReadStream({ autoClose: false }), { name: path, bytesMax });
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`the diff ${path} cannot be read (${codeOrText(error)}).`, { cause: error });
  }
}

async function gather(
  stream: AsyncIterable<Uint8Array | string>,
  { name, bytesMax }: { readonly name: string; readonly bytesMax: number },
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > bytesMax) {
      throw new StartError(
        `the diff from ${name} is longer than ${counted(bytesMax, "byte", "bytes")}. Review it in parts.`,
      );
    }
    chunks.push(part);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
