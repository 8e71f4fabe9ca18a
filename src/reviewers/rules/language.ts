export type Language =
  | "javascript"
  | "python"
  | "go"
  | "rust"
  /** Java, Kotlin, C, C++, C#, Swift, Scala, Dart. */
  | "braces"
  | "php"
  | "ruby"
  | "shell"
  | "dockerfile"
  | "makefile"
  | "yaml"
  | "json"
  | "prose"
  | "other";

export function languageOf(path: string): Language {
  const name = baseName(path);
  const named = byName.find(([shape]) => shape.test(name));
  if (named !== undefined) return named[1];
  return byEnding.get(endingOf(name)) ?? "other";
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Lower case, without the dot; empty for none and for names such as `.env`. */
export function endingOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

const byName: readonly (readonly [RegExp, Language])[] = [
  [/^(?:Dockerfile|Containerfile)(?:\.|$)|\.dockerfile$/i, "dockerfile"],
  [/^(?:GNU)?[Mm]akefile$|\.mk$/, "makefile"],
  [/^(?:Rakefile|Gemfile|Vagrantfile)$/, "ruby"],
];

const endings: Readonly<Partial<Record<Language, string>>> = {
  javascript: "js jsx mjs cjs ts tsx mts cts",
  python: "py pyi",
  go: "go",
  rust: "rs",
  braces: "java kt kts c h cc cpp cxx hpp hh cs swift scala dart",
  php: "php",
  ruby: "rb rake gemspec",
  shell: "sh bash zsh ksh",
  yaml: "yml yaml",
  json: "json json5 jsonc",
  prose: "md markdown rst txt adoc asciidoc org tex",
};

const byEnding: ReadonlyMap<string, Language> = new Map(
  Object.entries(endings).flatMap(([language, list]) =>
    list.split(" ").map((ending) => [ending, languageNamed(language)] as const),
  ),
);

function languageNamed(name: string): Language {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.entries forgets that keys are languages.
  return name as Language;
}
