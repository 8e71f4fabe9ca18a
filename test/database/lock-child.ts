import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { takeFolderLock } from "#database/embedded/folder-lock.ts";

/** Takes the lock of a folder at a given time, says what came of it, and holds it until its standard input is closed. */
const [folder = "", at = "0"] = process.argv.slice(2);
while (Date.now() < Number(at));
try {
  await takeFolderLock({ folder });
  process.stdout.write("taken\n");
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
await text(createReadStream("", { fd: 0 }));
process.exit();
