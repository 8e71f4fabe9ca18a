import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DiffFile } from "#core/diff/diff-file.ts";
import { hunksOf } from "#core/diff/hunk.ts";
import { parsed, textOf } from "./tokens-corpus.ts";
import { countTokens } from "./tokens-review.ts";

export type PrAgentTokens =
  | { readonly kind: "counted"; readonly fixed: number; readonly totals: readonly number[] }
  | { readonly kind: "absent"; readonly why: string };

const howToGetIt =
  "pip download --no-deps pr-agent, unpack the wheel, and say --pr-agent=FOLDER; Python needs jinja2 as well";

/**
 * The prompt of PR-Agent's review of the same changes, rendered by its own templates and settings, and by its own way to
 * write a diff. Nothing of it is kept here: it is read from a folder in which somebody has unpacked the package. Its
 * usual settings add up to four lines of the file around each hunk, which are not in it.
 */
export function prAgentTokens(folder: string, diffs: readonly Uint8Array[]): PrAgentTokens {
  if (folder === "") return { kind: "absent", why: howToGetIt };
  if (!existsSync(join(folder, "pr_agent", "settings"))) {
    return { kind: "absent", why: `there is no pr_agent in ${folder}: ${howToGetIt}` };
  }
  const input = JSON.stringify([[], ...diffs.map(patchesOf)]);
  const ran = spawnSync("python3", ["-I", "-B", "-c", program, folder], { input, maxBuffer: outputBytesMax });
  if (ran.status !== 0) return { kind: "absent", why: `its prompt could not be rendered: ${lastLine(ran.stderr)}` };
  const [empty = "", ...prompts] = z.array(z.string()).parse(JSON.parse(ran.stdout.toString("utf8")));
  return { kind: "counted", fixed: countTokens(empty), totals: prompts.map(countTokens) };
}

const outputBytesMax = 1024 * 1024 * 1024;

function lastLine(stderr: Buffer | null): string {
  return stderr?.toString("utf8").trim().split("\n").at(-1) ?? "python3 could not be started";
}

interface Patch {
  readonly path: string;
  readonly isDeleted: boolean;
  /** The hunks alone, as a forge answers them. */
  readonly patch: string;
}

function patchesOf(bytes: Uint8Array): readonly Patch[] {
  const diff = parsed(bytes);
  return diff.files.map((file: DiffFile) => {
    const first = hunksOf(diff, file)[0];
    const patch = first === undefined ? "" : textOf(bytes.subarray(first.start, file.end));
    return { path: file.path, isDeleted: file.kind === "deleted", patch };
  });
}

/** Its settings and its log are not needed for this, and want packages that nobody has. */
const program = `
import json, sys, tomllib, types
folder = sys.argv[1]
sys.path.insert(0, folder)

class Quiet:
    def __getattr__(self, name):
        return lambda *given, **named: None

for name, thing in (("pr_agent.config_loader", "get_settings"), ("pr_agent.log", "get_logger")):
    module = types.ModuleType(name)
    setattr(module, thing, Quiet)
    sys.modules[name] = module

from jinja2 import Environment
from pr_agent.algo.git_patch_processing import convert_to_hunks_with_lines_numbers as numbered
from pr_agent.algo.types import EDIT_TYPE, FilePatchInfo

def read(name):
    with open(folder + "/pr_agent/settings/" + name, "rb") as file:
        return tomllib.load(file)

words = read("pr_reviewer_prompts.toml")["pr_review_prompt"]
usual = read("configuration.toml")["pr_reviewer"]
settings = {
    "require_score": usual["require_score_review"],
    "require_tests": usual["require_tests_review"],
    "require_estimate_effort_to_review": usual["require_estimate_effort_to_review"],
    "require_can_be_split_review": usual["require_can_be_split_review"],
    "require_security_review": usual["require_security_review"],
    "num_code_suggestions": usual["num_code_suggestions"],
    "extra_issue_links": usual.get("extra_issue_links", False),
}

def shown(patch):
    kind = EDIT_TYPE.DELETED if patch["isDeleted"] else EDIT_TYPE.MODIFIED
    info = FilePatchInfo("", "", patch["patch"], patch["path"], edit_type=kind)
    return numbered(patch["patch"], info)

def prompt(patches):
    diff = "\\n".join(shown(patch) for patch in patches if patch["patch"])
    values = dict(settings, title="", branch="", diff=diff)
    render = lambda text: Environment().from_string(text).render(values)
    return render(words["system"]) + "\\n" + render(words["user"])

json.dump([prompt(patches) for patches in json.load(sys.stdin)], sys.stdout)
`;
