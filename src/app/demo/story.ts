import type { SandboxStack } from "#app/sandbox-stack/sandbox-stack.ts";
import type { HeadSha } from "#core/model/ids.ts";
import { after, Instant, minuteMs, secondMs } from "#core/model/instant.ts";
import { Rules } from "#core/model/rules.ts";
import type { HostChanges } from "#ports/git-host.ts";
import type { PullRef } from "#ports/pull-ref.ts";

export interface SceneScript {
  readonly title: string;
  readonly watch: string;
  readonly happen: (stack: SandboxStack) => Promise<void>;
  readonly endsWith: "rest" | "push_of_drover";
}

export const storyStartsAt: Instant = Instant.parse("2026-01-05T09:00:00Z");

export const storyRules: Rules = Rules.parse({ merge: { when: "when_approved", requiredChecks: ["build"] } });

const reportCode = `def report(place, degrees):
    return f"{place}: {degrees} degrees"
`;

export const storyRepository: { readonly name: string; readonly files: HostChanges } = {
  name: "acme/weather",
  files: { "README.md": "# Weather\n\nTells the weather of a place.\n", "weather/report.py": reportCode },
};

const branch = "settings";

/** Two mistakes that the rules can find and fix: a loader that may run code, and a debugger. */
const settingsCode = `import yaml


def read_settings(path):
    with open(path) as stream:
        settings = yaml.load(stream)
    breakpoint()
    return settings
`;

const settingsTest = `from weather.settings import read_settings


def test_reads_a_place(tmp_path):
    path = tmp_path / "settings.yml"
    path.write_text("place: Oslo")
    assert read_settings(path) == {"place": "Oslo"}
`;

const newReadme = "# Weather\n\nTells the weather of a place. Which place, `settings.yml` says.\n";

export const scenes: readonly SceneScript[] = [
  {
    title: "ada opens a pull",
    watch: "Rules review it: no model, no key. Their verdict is a review on the pull, and a gate: Drover's own check.",
    happen: async (stack) => {
      const ada = stack.sandbox.as(stack.people.ada);
      const { repository } = stack;
      await ada.push({
        repository,
        branch,
        changes: { "weather/settings.py": settingsCode },
        message: "Read settings",
      });
      const title = "Read the settings from a file";
      await ada.openPull({
        repository,
        branch,
        base: "main",
        title,
        body: "So that the place is not fixed in the code.",
      });
    },
    endsWith: "rest",
  },
  {
    title: "ada switches reviews off while she works",
    watch: "Switching reviews off waives nothing: findings that are known go on blocking.",
    happen: (stack) => say(stack, "ada", "@drover disable-reviews for 2h"),
    endsWith: "rest",
  },
  {
    title: "ada pushes a test while reviews are off",
    watch: "The new head is noted and not reviewed. No gate turns green by that.",
    happen: async (stack) => {
      const changes = { "tests/test_settings.py": settingsTest };
      await push(stack, { changes, message: "Test the settings" });
    },
    endsWith: "rest",
  },
  {
    title: "ada switches reviews on again",
    watch:
      "The head that was left out is reviewed now. Known findings are not said twice: the review is edited in place.",
    happen: (stack) => say(stack, "ada", "@drover enable-reviews"),
    endsWith: "rest",
  },
  {
    title: "rita tells Drover to fix it by applying its suggestions",
    watch: "The agent works on a copy and cannot push. Drover checks what it did, commits it, pushes it and says so.",
    happen: (stack) => say(stack, "rita", "@drover fix"),
    endsWith: "push_of_drover",
  },
  {
    title: "Drover's own push is up for review, like anybody's",
    watch: "A finding counts as fixed when a review of the new head no longer has it. Then its thread is closed.",
    happen: (stack) => reportBuild(stack, "pending"),
    endsWith: "rest",
  },
  {
    title: "ada asks for the status",
    watch: "What stands between here and the merge, and whose turn it is.",
    happen: (stack) => say(stack, "ada", "@drover status"),
    endsWith: "rest",
  },
  {
    title: "rita gives a thumb while the build runs",
    watch:
      "Forges send no webhook for a thumb, so Drover looks every half minute. It writes down which head was approved.",
    happen: async (stack) => {
      await stack.sandbox.as(stack.people.rita).react(storyPull(stack), "+1");
    },
    endsWith: "rest",
  },
  {
    title: "ada pushes once more",
    watch: "A thumb counts for the head that stood when it was given, and for no other.",
    happen: async (stack) => {
      await push(stack, { changes: { "README.md": newReadme }, message: "Tell about the settings" });
    },
    endsWith: "rest",
  },
  {
    title: "the build is green, with a thumb from before the push",
    watch: "Merging needs everything for one and the same head: review, approval and checks.",
    happen: (stack) => reportBuild(stack, "passed"),
    endsWith: "rest",
  },
  {
    title: "rita has read the new head, and gives her thumb again",
    watch: "The forge is asked to merge this commit by its id: if the head had moved, it would refuse.",
    happen: async (stack) => {
      const rita = stack.sandbox.as(stack.people.rita);
      await rita.unreact(storyPull(stack), "+1");
      stack.clock.leapTo(after(stack.clock.now(), 5 * secondMs));
      await rita.react(storyPull(stack), "+1");
    },
    endsWith: "rest",
  },
];

export const intervalMs = minuteMs;

export function storyPull({ repository }: SandboxStack): PullRef {
  return { repository, number: 1 };
}

async function say(stack: SandboxStack, who: "ada" | "rita", words: string): Promise<void> {
  await stack.sandbox.as(stack.people[who]).comment(storyPull(stack), words);
}

async function push(
  stack: SandboxStack,
  made: { readonly changes: HostChanges; readonly message: string },
): Promise<HeadSha> {
  return await stack.sandbox.as(stack.people.ada).push({ repository: stack.repository, branch, ...made });
}

async function reportBuild(stack: SandboxStack, state: "pending" | "passed"): Promise<void> {
  const { repository } = stack;
  const commit = stack.sandbox.look(storyPull(stack)).pull.head.sha;
  await stack.sandbox.as(stack.people.ci).report({ repository, commit, name: "build", state });
}
