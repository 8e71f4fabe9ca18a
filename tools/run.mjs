// Starts a tool of the house: `node tools/run.mjs test` installs if needed, bundles tools/test.ts and runs it.
// Plain JavaScript without dependencies, because it runs on machines where nothing is installed yet.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const lockFile = join(root, "package-lock.json");
const stampFile = join(modules, ".drover-lock");
const platform = `${process.platform}-${process.arch}`;
const installWaitMsMax = 15 * 60_000;
const installLookMs = 200;

const exitFailed = 1;
const exitUsage = 2;

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [name, ...args] = process.argv.slice(2);
const problem = nodeProblem() ?? nameProblem();
if (problem) {
  end(problem, exitUsage);
}
process.chdir(root);
if (!isInstalled()) {
  await installOnce();
}
const file = await bundle(name);
process.argv = [process.execPath, file, ...args];
process.setSourceMapsEnabled(true);
// The tool runs in this very process, so that exit code and signals need no passing on.
await import(pathToFileURL(file).href);

function nodeProblem() {
  const needed = /(\d+)\.(\d+)/.exec(manifest.engines.node)?.slice(1).map(Number) ?? [0, 0];
  const found = process.versions.node.split(".").map(Number);
  const isOld = found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1]);
  return isOld
    ? `Drover needs Node ${needed.join(".")} or newer; this is Node ${process.versions.node} (${process.execPath}).`
    : undefined;
}

/** The tools are what the scripts of package.json call: other files in tools/ are parts of these. */
function nameProblem() {
  const prefix = "node tools/run.mjs ";
  const tools = Object.values(manifest.scripts)
    .filter((script) => script.startsWith(prefix))
    .map((script) => script.slice(prefix.length));
  return tools.includes(name) ? undefined : `usage: node tools/run.mjs ${tools.join("|")} [arguments]`;
}

/** True if node_modules was made from this package-lock.json, by us or by hand. */
function isInstalled() {
  if (readIfThere(stampFile) === stamp()) {
    return true;
  }
  if (!isMadeByHand()) {
    return false;
  }
  writeFileSync(stampFile, stamp());
  return true;
}

/** The platform belongs to it: a folder shared with a container or another machine holds binaries of one of them only. */
function stamp() {
  return `${createHash("sha256").update(readFileSync(lockFile)).digest("hex")} ${platform}\n`;
}

/**
 * npm writes node_modules/.package-lock.json at the end of every complete install. If it lists what the lock file lists,
 * somebody ran `npm ci` or `npm install` without us, and doing it again would only take time.
 */
function isMadeByHand() {
  const installed = readPackages(join(modules, ".package-lock.json"));
  const wanted = readPackages(lockFile);
  const isOfOtherPlatform = readIfThere(stampFile)?.includes(platform) === false;
  if (installed === undefined || wanted === undefined || isOfOtherPlatform) {
    return false;
  }
  const isSame = (path) =>
    installed[path].version === wanted[path]?.version && installed[path].integrity === wanted[path]?.integrity;
  const isThere = (path) => path === "" || path in installed || wanted[path].optional === true;
  return Object.keys(installed).every(isSame) && Object.keys(wanted).every(isThere);
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    // No such file, or one that npm did not finish: nothing is known about what is installed.
    return undefined;
  }
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Two runs may start at once on a fresh clone: one installs, the other waits for it and looks again. */
async function installOnce() {
  const release = await takeInstallLock();
  const failure = isInstalled() ? undefined : await install();
  release();
  if (failure) {
    end(failure, exitFailed);
  }
}

/** The lock lies outside node_modules, which `npm ci` deletes. */
async function takeInstallLock() {
  const lock = join(root, ".cache", "install.lock");
  const mine = `${lock}.${process.pid}`;
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(mine, String(process.pid));
  for (let waitedMs = 0; !isLinked(mine, lock); waitedMs += installLookMs) {
    const owner = Number(readIfThere(lock) ?? process.pid);
    if (!isAlive(owner)) {
      // The owner was killed on its way: nobody else will take its lock away.
      rmSync(lock, { force: true });
    } else if (waitedMs === 0) {
      say("Another run is installing the dependencies: waiting for it.");
    } else if (waitedMs > installWaitMsMax) {
      rmSync(mine, { force: true });
      end(`Process ${owner} has been installing for too long. If it is not npm any more, delete ${lock}`, exitFailed);
    }
    await sleep(installLookMs);
  }
  rmSync(mine, { force: true });
  return () => rmSync(lock, { force: true });
}

/** A link comes into being whole or not at all, so a lock always names its owner. */
function isLinked(mine, lock) {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") {
      return false;
    }
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Answers with what went wrong, if anything did. */
async function install() {
  say(
    existsSync(modules)
      ? "node_modules was made from another package-lock.json: installing again (npm ci)."
      : "node_modules is missing: installing (npm ci).",
  );
  rmSync(stampFile, { force: true });
  // Development dependencies are asked for by name: NODE_ENV=production would leave out the tools we are about to run.
  const npmArgs = ["ci", "--include=dev", "--no-fund", "--no-audit", "--loglevel=error"];
  // Standard output belongs to the tool, which may print JSON there; what npm says goes beside it.
  const options = { cwd: root, stdio: ["ignore", process.stderr, process.stderr] };
  const npm = process.env.npm_execpath ?? "";
  const child =
    basename(npm) === "npm-cli.js"
      ? spawn(process.execPath, [npm, ...npmArgs], options)
      : spawn("npm", npmArgs, { ...options, shell: process.platform === "win32" });
  const ending = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  if (ending !== 0) {
    return `npm ci failed (${ending}). Nothing was recorded: the next run tries again.`;
  }
  writeFileSync(stampFile, stamp());
  return undefined;
}

/** Our own imports go into one file; packages stay outside and are found in node_modules from where the file lies. */
async function bundle(tool) {
  const { build, stop } = await import("esbuild");
  const target = join(modules, ".cache", "drover", `${tool}.mjs`);
  const draft = `${target}.${process.pid}`;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [`tools/${tool}.ts`],
      outfile: draft,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20.19",
      sourcemap: "inline",
      logLevel: "warning",
    });
  } catch {
    // esbuild has said what is wrong and where.
    end(`tools/${tool}.ts could not be bundled.`, exitFailed);
  }
  await stop();
  renameSync(draft, target);
  return target;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function end(text, code) {
  say(text);
  process.exit(code);
}
