import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GiteaInstall } from "./gitea-builds.ts";

/**
 * What the hooks of the server's repositories call in place of the server's program, by whose name it was started. Git
 * calls three of them for each push, also for those that the server makes itself when a pull is opened, and each would
 * start a program of a hundred megabytes, which takes an eighth of a second. In both versions most of them end at once:
 * nothing but `post-receive` does anything in a push of its own, and `update` refuses the refs of pulls and nothing else
 * (`cmd/hook.go`). That much is done here, and everything else by the program.
 */
export async function writeHook({ program }: GiteaInstall, folder: string): Promise<string> {
  const file = join(folder, "hook");
  const script = `#!/bin/sh
case "$GITEA_INTERNAL_PUSH,$1,$3" in
  true,hook,pre-receive | true,hook,update) exit 0 ;;
  true,hook,post-receive) exec git update-server-info ;;
  *,hook,update) case "$4" in refs/pull/*) exit 1 ;; *) exit 0 ;; esac ;;
esac
exec '${program}' "$@"
`;
  await writeFile(file, script, { mode: 0o755 });
  return file;
}
