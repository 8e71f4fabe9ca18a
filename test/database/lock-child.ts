import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { takeFolderLock } from "#database/embedded/folder-lock.ts";

/** Takes the lock of a folder at a given time, says what came of it, and holds it until its standard input is closed. */
const [folder = "", at = "0"] = process.argv.slice(2);
/**
 * Whoever sleeps wakes late by some milliseconds, so that the last of them are waited for awake. Not all of them: they
 * would keep the others from starting in time.
 */
const awakeMs = 30;
await sleep(Math.max(0, Number(at) - awakeMs - Date.now()));
while (Date.now() < Number(at));
try {
  await takeFolderLock({ folder });
  process.stdout.write("taken\n");
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
await text(createReadStream("", { fd: 0 }));
process.exit();
