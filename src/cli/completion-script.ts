import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";

export function completionScript(shell: keyof typeof scripts, program: CommandUnknownOpts): string {
  const commands = readCommands(program, "");
  const words = commands.find(({ path }) => path === "")?.words ?? [];
  return scripts[shell]([...commands, { path: "help", words, options: [] }]);
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

interface CompletedCommand {
  readonly path: string;
  readonly words: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
}

interface CompletedWord {
  readonly name: string;
  readonly about: string;
}

interface CompletedOption extends CompletedWord {
  readonly value:
    | { readonly kind: "none" | "file" | "any" }
    | { readonly kind: "list"; readonly words: readonly string[] };
}

function readCommands(command: CommandUnknownOpts, path: string): readonly CompletedCommand[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => path === "" || one.name() !== "help");
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const own: CompletedCommand = {
    path,
    words: [
      ...below.map((one) => ({ name: one.name(), about: help.subcommandDescription(one) })),
      ...values.map((name) => ({ name, about: "" })),
    ],
    options: help.visibleOptions(command).map(readOption),
  };
  return [own, ...command.commands.flatMap((one) => readCommands(one, `${path} ${one.name()}`.trim()))];
}

function readOption({ long, flags, description, required, argChoices }: Option): CompletedOption {
  const option = { name: long ?? flags, about: description };
  if (!required) return { ...option, value: { kind: "none" } };
  if (argChoices !== undefined) return { ...option, value: { kind: "list", words: argChoices } };
  return { ...option, value: { kind: /<(?:file|dir)>/.test(flags) ? "file" : "any" } };
}

function pairs(commands: readonly CompletedCommand[], separator: string): string {
  const paths = commands.map(({ path }) => path).filter((path) => path.includes(" "));
  return paths.map(quoted).join(separator);
}

/** Without proposals bash offers files. Has to run on the bash 3.2 of macOS. */
function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, options }) => {
    const free = options.filter(({ value }) => value.kind === "file" || value.kind === "any");
    return [
      ...(free.length === 0 ? [] : [`    ${free.map(({ name }) => quoted(`${path} ${name}`)).join("|")}) ;;`]),
      ...options.flatMap(({ name, value }) => {
        return value.kind === "list"
          ? [`    ${quoted(`${path} ${name}`)}) proposed='${value.words.join(" ")}' ;;`]
          : [];
      }),
    ];
  });
  const words = commands.map(({ path, words: own, options }) => {
    const names = [...own, ...options].map(({ name }) => name);
    return `    ${quoted(`${path} `)}*) proposed=${quoted(names.join(" "))} ;;`;
  });
  // Longer ones first: `queue retry` begins with `queue` too.
  return `_drover() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= proposed=
  # Bash takes --option=value for three words.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD > 1)); then command=\${COMP_WORDS[1]}; fi
  if ((COMP_CWORD > 2)); then
    case "$command \${COMP_WORDS[2]}" in
    ${pairs(commands, "|")}) command="$command \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command $previous" in
${[...values, ...words.toReversed()].join("\n")}
  esac
  COMPREPLY=($(compgen -W "$proposed" -- "$current"))
}
complete -o default -F _drover drover
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const words = commands
    .filter(({ words: own }) => own.length > 0)
    .map(({ path, words: own }) => {
      const lines = own.map(({ name, about }) => `      ${quoted(about === "" ? name : `${name}:${about}`)}`);
      return `    (${quoted(path)}) proposed=(\n${lines.join("\n")}\n    ) ;;`;
    });
  const withOptions = commands.filter(({ options: own }) => own.length > 0);
  const options = withOptions.map(({ path, options: own }) => {
    const lines = own.map((option) => ` \\\n      ${quoted(zshOption(option))}`);
    return `    (${quoted(path)}) _arguments${lines.join("")} ;;`;
  });
  return `#compdef drover
_drover() {
  local command=
  local -i depth=0
  local -a proposed
  if ((CURRENT > 2)); then command=$words[2] depth=1; fi
  if ((CURRENT > 3)); then
    case "$command $words[3]" in
    (${pairs(commands, "|")}) command="$command $words[3]" depth=2 ;;
    esac
  fi
  if [[ $words[CURRENT] != -* && $words[CURRENT-1] != -* ]]; then
    case "$command" in
${words.join("\n")}
    esac
    (($#proposed)) && _describe command proposed && return
  fi
  # Options are those of the last word of the command.
  shift $depth words
  ((CURRENT -= depth))
  case "$command" in
${options.join("\n")}
  esac
}
if [[ $funcstack[1] == _drover ]]; then _drover "$@"; else compdef _drover drover; fi
`;
}

function zshOption({ name, about, value }: CompletedOption): string {
  const explained = `[${about.replaceAll(/[[\]\\]/g, "\\$&")}]`;
  if (value.kind === "none") return name + explained;
  const values = { file: "_files", any: "", list: value.kind === "list" ? `(${value.words.join(" ")})` : "" };
  return `${name}=${explained}:value:${values[value.kind]}`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, words, options }) => {
    const start = `complete -c drover -n "__drover_at '${path}'"`;
    return [
      ...words.map(({ name, about }) => `${start} -a ${name} -d ${quotedInFish(about)}`),
      ...options.map(({ name, about, value }) => {
        const values = {
          none: "",
          file: " -r -F",
          any: " -x",
          list: value.kind === "list" ? ` -x -a '${value.words.join(" ")}'` : "",
        };
        return `${start} -l ${name.slice("--".length)}${values[value.kind]} -d ${quotedInFish(about)}`;
      }),
    ];
  });
  return `function __drover_at
    set -l words (commandline -opc)
    set -l command "$words[2]"
    if contains -- "$words[2] $words[3]" ${pairs(commands, " ")}
        set command "$words[2] $words[3]"
    end
    test "$command" = "$argv[1]"
end
complete -c drover -f
${lines.join("\n")}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quotedInFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
