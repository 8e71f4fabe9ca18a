import { unlink } from "node:fs/promises";

export async function listen(server, path) {
  try {
    await unlink(path);
  } catch (error) {
    // Nothing was left behind by an earlier run.
    if (error.code !== "ENOENT") throw error;
  }
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
