import { addedCode, type ChangedFile, type Line } from "#reviewers/rules/changed-file.ts";
import { isToolingPath } from "#reviewers/rules/file-nature.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const shellInjection: Rule = {
  name: "shell-injection",
  title: "Value put into a shell command",
  score: 7,
  catches:
    'A command line for a shell with a value put into it: `execSync(`git log ${ref}`)`, `os.system("rm " + path)`, `subprocess.run(f"…{x}", shell=True)`. Arrays of arguments, fixed commands, tests and tools are left alone.',
  example: "execSync(`git log ${ref}`)",
  scope: "written",
  applies: (file) => !file.isTest && !isToolingPath(file.path) && ["javascript", "python"].includes(file.language),
  check: findShells,
};

/** In the code, where strings are blank and code in a template is not. */
const nodeShell =
  /(?<![\w$.])(?:(?:child_process|childProcess|cp)\.exec(?:Sync)?|execSync)\s*\(\s*(?:`[^`]*\$\{|"\s*"\s*\+|'\s*'\s*\+)/;
const nodeExec = /(?<![\w$.])exec\s*\(\s*(?:`[^`]*\$\{|"\s*"\s*\+|'\s*'\s*\+)/;
const pythonSystem = /\bos\.(?:system|popen)\(\s*(?<start>[rbuf]{0,2}["'])/i;
const pythonShell =
  /\bsubprocess\.(?:run|call|check_call|check_output|Popen)\(\s*(?<start>[rbuf]{0,2}["'])[^#]*\bshell\s*=\s*True\b/i;

function findShells(file: ChangedFile): readonly Hit[] {
  const isFound = file.language === "javascript" ? nodeFinder(file) : inPython;
  return addedCode(file)
    .filter(isFound)
    .map((line) => hitLine(line.number, { score: 7, message }));
}

const message =
  "A value becomes part of a command line that a shell reads: quotes, `;` or `$(…)` in it would run something else. Call the program with an array of arguments and without a shell.";

/** A bare `exec` is the shell's only where the file takes it from `child_process`; else it may be anything. */
function nodeFinder(file: ChangedFile): (line: Line) => boolean {
  const takesExec = file.lines.some(({ text }) => /["'](?:node:)?child_process["']/.test(text.slice(0, 200)));
  return ({ code }) => nodeShell.test(code) || (takesExec && nodeExec.test(code));
}

function inPython({ text, code }: Line): boolean {
  const match = pythonSystem.exec(code) ?? pythonShell.exec(code);
  if (match === null) return false;
  const start = match.groups?.["start"] ?? "";
  const from = match.index + match[0].indexOf(start);
  const quoted = text.slice(from);
  if (/^[rb]?f/i.test(start)) return /\{[^{}]+\}/.test(quoted);
  return /^[rbu]{0,2}(["'])\s*\1\s*(?:\+|%(?!=)|\.format\()/i.test(code.slice(from));
}
