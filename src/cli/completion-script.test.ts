import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "#cli/command-line.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const execute = promisify(execFile);
/** A shell that waits for more would wait for ever. */
const shellMsMax = 20_000;

async function run(shell: Shell, args: readonly string[]): Promise<{ readonly stdout: string }> {
  return await execute(shell, args, { timeout: shellMsMax });
}

/** What the shell proposes for the last word of a line. */
type Propose = (script: string, line: string) => Promise<readonly string[]>;

const proposals: Readonly<Record<Shell, Propose>> = {
  bash: async (script, line) => {
    // Bash gives --option=value as three words.
    const words = `${line.replaceAll("=", " = ")}${line.endsWith(" ") ? '""' : ""}`;
    const code = `source ${quote(script)}; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _drover
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await run("bash", ["--norc", "-c", code])).stdout.split("\n");
  },
  zsh: async (script, line) => {
    const code = `zmodload zsh/zpty; zpty shell zsh -f -i
      zpty -w shell "source ${quote(`${script}.setup`)}"; zpty -r shell heard '*READY*'
      zpty -w -n shell ${quote(line)}$'\\t'; zpty -r shell heard '*DONE*'; print -r -- "$heard"`;
    return (await run("zsh", ["-f", "-c", code])).stdout.split(/[\r\n]+/);
  },
  fish: async (script, line) => {
    const { stdout } = await run("fish", ["--no-config", "-c", `source ${quote(script)}; complete -C ${quote(line)}`]);
    return stdout.split("\n").map((answer) => answer.replace(/\t.*/, ""));
  },
};

/** Completion in zsh works in an interactive shell alone. This one prints what is proposed to it. */
const zshSetup = `PS1=; autoload -U compinit; compinit -u -D; source "\${\${(%):-%x}%.setup}"
compadd() {
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    local -a hits; builtin compadd -A hits "$@"; print -rl -- '' $hits
  fi
  builtin compadd "$@"
}
ended() { print 'DONE' }
begin() { comppostfuncs=(ended) }
compprefuncs=(begin)
print READY
`;

function quote(text: string): string {
  return `'${text}'`;
}

async function isThere(shell: Shell): Promise<boolean> {
  return await run(shell, ["--version"]).then(
    () => true,
    () => false,
  );
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drover-completions-"));
  for (const shell of shells) await writeFile(join(folder, shell), await scriptOf(shell));
  await writeFile(join(folder, "zsh.setup"), zshSetup);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function scriptOf(shell: Shell): Promise<string> {
  let script = "";
  const out = (text: string): void => {
    script += text;
  };
  const rest = { readFile: async () => "", sleep: async () => undefined, columns: undefined, searchPath: "", env: {} };
  const terminal = { out, err: out, isInteractive: false, hasColours: false, ...rest };
  expect(await runCommandLine(["completions", shell], terminal)).toBe(0);
  return script;
}

for (const shell of shells) {
  describe(`completions in ${shell}`, async () => {
    const isMissing = !(await isThere(shell));
    it.for<readonly [line: string, proposed: readonly string[], others: readonly string[]]>([
      ["drover ", ["serve", "run", "queue", "db", "help"], ["retry", "export"]],
      ["drover se", ["serve"], ["wait"]],
      ["drover run --", ["--forge", "--timeout", "--help"], ["--port"]],
      ["drover run --forge ", ["github", "gitea", "sandbox"], ["--json"]],
      ["drover run --forge=gi", ["github", "gitea"], ["sandbox"]],
      ["drover review --json --fail-on p", ["problem"], ["blocking"]],
      ["drover queue ", ["retry"], ["serve"]],
      ["drover queue --", ["--data"], ["--key"]],
      ["drover queue retry --", ["--key", "--queue"], ["--by"]],
      ["drover completions ", ["bash", "zsh", "fish"], ["serve"]],
      ["drover help q", ["queue"], ["serve"]],
    ])("after %j", async ([line, proposed, others], { skip }) => {
      skip(isMissing, `${shell} is not installed`);
      // Of an option with a value, zsh and fish propose the whole word.
      const answer = await proposals[shell](join(folder, shell), line);
      const words = new Set(answer.map((word) => word.replace(/^--forge=/, "")));
      expect([...proposed, ...others].filter((word) => words.has(word))).toEqual(proposed);
    });
  });
}
