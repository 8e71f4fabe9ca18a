import { delimiter, dirname, isAbsolute } from "node:path";
import { comparedBytesMax } from "#git/git-limits.ts";
import type { Protocol } from "#git/read-remote.ts";

export interface EnvironmentOptions {
  readonly searchPath: string;
  /** Empty, so that it holds no configuration. */
  readonly home: string;
}

export type Config = readonly (readonly [string, string])[];

/** Made from nothing: Drover's own may name programs. Holds the configuration, since everybody can see arguments. */
export function gitEnvironment(
  { searchPath, home }: EnvironmentOptions,
  call: { readonly protocol: Protocol | null; readonly config: Config },
): Readonly<Record<string, string>> {
  // A relative entry would make git run programs of some folder.
  const path = searchPath.split(delimiter).filter(isAbsolute).join(delimiter);
  const allow = call.protocol ?? "none";
  const config = [...fixedConfig, [`protocol.${allow}.allow`, "always"] as const, ...call.config];
  return {
    PATH: path,
    HOME: home,
    XDG_CONFIG_HOME: home,
    TMPDIR: home,
    // Git processes without a git directory run in the home and look no further for one.
    GIT_CEILING_DIRECTORIES: dirname(home),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    GIT_SSH_COMMAND: "false",
    GIT_EDITOR: "false",
    GIT_PAGER: "cat",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ALLOW_PROTOCOL: allow,
    ...countedConfig(config),
  };
}

function countedConfig(config: Config): Readonly<Record<string, string>> {
  const entries = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(entries) };
}

/** All by which a configuration can start a program, leave the machine or change an answer. It wins over the files'. */
const fixedConfig: Config = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.sshCommand", "false"],
  ["core.askPass", "false"],
  ["core.editor", "false"],
  ["core.pager", "cat"],
  ["core.alternateRefsCommand", "false"],
  ["core.symlinks", "true"],
  ["core.fileMode", "true"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.autocrlf", "false"],
  ["core.safecrlf", "false"],
  ["core.eol", "lf"],
  ["core.quotePath", "true"],
  ["core.bigFileThreshold", String(comparedBytesMax)],
  // Mapped packs count as memory: by default they are mapped whole.
  ["core.packedGitWindowSize", "32m"],
  ["core.packedGitLimit", "256m"],
  ["core.deltaBaseCacheLimit", "64m"],
  // By default each processor has a thread with memory of its own.
  ["pack.threads", "2"],
  ["pack.windowMemory", "128m"],
  ["pack.deltaCacheSize", "64m"],
  ["core.logAllRefUpdates", "false"],
  // By default git syncs packs, not refs: after a power cut a mirror has empty refs, and every fetch fails.
  ["core.fsync", "all"],
  ["core.useReplaceRefs", "false"],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["http.followRedirects", "false"],
  // A connection that gives less than this for so long has died.
  ["http.lowSpeedLimit", "100"],
  ["http.lowSpeedTime", "60"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // Small fetches would be unpacked in memory, which is not measured.
  ["fetch.unpackLimit", "1"],
  ["fetch.recurseSubmodules", "false"],
  ["fetch.writeCommitGraph", "false"],
  ["submodule.recurse", "false"],
  ["transfer.bundleURI", "false"],
  ["transfer.credentialsInUrl", "die"],
  ["push.recurseSubmodules", "no"],
  ["push.followTags", "false"],
  ["push.gpgSign", "false"],
  ["push.default", "nothing"],
  ["push.useForceIfIncludes", "false"],
  ["commit.gpgSign", "false"],
  ["i18n.commitEncoding", "UTF-8"],
  ["i18n.logOutputEncoding", "UTF-8"],
  ["log.showSignature", "false"],
  ["log.mailmap", "false"],
  ["safe.bareRepository", "explicit"],
];
