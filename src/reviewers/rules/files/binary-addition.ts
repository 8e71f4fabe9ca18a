import { codeSpan } from "#core/words/plain-text.ts";
import type { ChangedFile } from "#reviewers/rules/changed-file.ts";
import { endingOf } from "#reviewers/rules/language.ts";
import { hitFile, type Rule } from "#reviewers/rules/rule.ts";

export const binaryAddition: Rule = {
  name: "binary-addition",
  title: "Program or archive that nobody can read",
  score: 6,
  catches:
    "Added or changed binaries that run or hold other files: executables, libraries, compiled classes, archives. Images, fonts, sounds and documents are left alone, and so is the wrapper of Gradle; all of them are listed as not read.",
  example: "tools/helper.exe",
  scope: "everything",
  applies: isProgram,
  check: (file) => [hitFile({ score: 6, message: messageFor(file) })],
};

const programEndings: ReadonlySet<string> = new Set(
  "exe dll so dylib jar war class pyc pyd o a lib obj com msi apk dmg deb rpm zip tar gz tgz bz2 xz 7z rar whl node".split(
    " ",
  ),
);

function isProgram({ diff, path }: ChangedFile): boolean {
  if (diff.kind === "deleted" || diff.content.kind !== "binary" || path.endsWith("gradle/wrapper/gradle-wrapper.jar")) {
    return false;
  }
  return programEndings.has(endingOf(path)) || (diff.newMode === "100755" && endingOf(path) === "");
}

function messageFor({ path }: ChangedFile): string {
  return `${codeSpan(path)} runs or unpacks on somebody's machine, and nobody can review what is in it. Build it from source in CI, or take it as a dependency with a version and a checksum.`;
}
