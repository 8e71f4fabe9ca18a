import { counter, log, pages } from "./parts.js";

export async function visit(path: string): Promise<string> {
  // A visitor does not wait for the statistics, nor for their failure.
  void counter.add(path).catch((error: unknown) => log.warn({ error, path }, "visit was not counted"));
  return await pages.render(path);
}
