import { addedCode, type Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const pipedInstaller: Rule = {
  name: "piped-installer",
  title: "Download run unseen",
  score: 6,
  catches:
    "`curl … | sh` and its kin in scripts, images, make files and CI: what the server answers today runs, whatever it is. Instructions in documents, and lines that only print such a command, are left alone.",
  example: "RUN curl -fsSL https://get.example.org | bash",
  scope: "written",
  applies: (file) => ["shell", "dockerfile", "makefile", "yaml"].includes(file.language),
  check: (file) => addedCode(file).flatMap(pipeHit),
};

const pipe =
  /\b(?:curl|wget)\s[^|;&#]*https?:\/\/(?!localhost\b|127\.)[^|;&#]*\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:\/usr)?(?:\/bin\/)?(?:ba|z|da|k)?sh\b/;
const substitution = /\b(?:ba|z)?sh\s+(?:-\w+\s+)*(?:<\(|"?\$\()\s*(?:curl|wget)\s[^|;&#]*https?:\/\//;

function pipeHit({ number, text }: Line): readonly Hit[] {
  if (/^\s*(?:#|@?echo\b|printf\b)/.test(text)) return [];
  if (!pipe.test(text) && !substitution.test(text)) return [];
  const message =
    "This runs whatever the server answers, unseen and unversioned. Download a named version to a file, check its checksum, and run that.";
  return [hitLine(number, { score: 6, message })];
}
