import { addedCode, type Line } from "#reviewers/rules/changed-file.ts";
import { type Hit, hitLine, type Rule } from "#reviewers/rules/rule.ts";

export const dockerAddUrl: Rule = {
  name: "docker-add-url",
  title: "Download into an image, unchecked",
  score: 5,
  catches: "`ADD` of an address without `--checksum`. Git repositories and local files are left alone.",
  example: "ADD https://example.org/tool.tar.gz /opt/",
  scope: "written",
  applies: (file) => file.language === "dockerfile",
  check: (file) => addedCode(file).flatMap(addHit),
};

const add = /^\s*ADD\s+(?<flags>(?:--\S+\s+)*)(?<address>https?:\/\/\S+)/i;

function addHit({ number, text }: Line): readonly Hit[] {
  const { flags = "", address } = add.exec(text)?.groups ?? {};
  if (address === undefined || /--checksum=/.test(flags) || /\.git(?:#|$)/.test(address)) return [];
  const message =
    "This takes whatever the server answers on the day of the build. Add `--checksum=sha256:…`, so that another file fails the build.";
  return [hitLine(number, { score: 5, message })];
}
