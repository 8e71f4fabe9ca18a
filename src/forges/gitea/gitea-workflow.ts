import type { WorkflowTemplate } from "#forges/forge-descriptor.ts";

export const giteaWorkflow: WorkflowTemplate = {
  // Gitea looks into GitHub's folder only where it has none of its own.
  path: ".gitea/workflows/drover.yml",
  // A copy on a server of one's own has an address.
  actionPattern: /^(?:https?:\/\/[\w.:-]+\/)?[\w.-]+\/[\w./-]+@\w[\w./-]*$/,
  actionMissing: [
    "--action https://git.example/owner/name@COMMIT is needed: the repository that holds Drover, and the commit to run.",
    "Push your copy of Drover to a repository that your runners can fetch; `npm run release` in it makes the commit to name.",
    "Without https://… it is taken from GitHub.",
  ].join("\n"),
  secretLines: [
    "  openssl rand -hex 32          as DROVER_SECRET, under Settings > Actions > Secrets",
    "There, as DROVER_TOKEN, the token of an account for Drover that administers the repository: without it Drover only reviews.",
  ],
  textOf: giteaWorkflowText,
};

/**
 * Unlike GitHub's: a draft is a title, so `edited` ends it; reviews are an event; old versions ignore `concurrency` and
 * `permissions`; runners often lack Node 24, so the Action is fetched and run by hand.
 */
function giteaWorkflowText({ action, timeoutMinutes }: Parameters<WorkflowTemplate["textOf"]>[0]): string {
  const at = action.lastIndexOf("@");
  const [place, ref] = [action.slice(0, at), action.slice(at + 1)];
  return `name: Drover

on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
  pull_request_review:
    types: [submitted, edited]
  # Gitea's name for reviews that neither approve nor ask for changes, remarks in the diff among them.
  pull_request_review_comment:
    types: [created, edited]
  issue_comment:
    types: [created, edited]

# One run at a time for each pull, from Gitea 1.26 on. Nothing is cancelled: what Drover writes under an account of its
# own starts a run too, and that one must not end the run that is writing.
concurrency:
  group: drover-\${{ github.event.pull_request.number || github.event.issue.number }}
  cancel-in-progress: false

jobs:
  drover:
    if: github.event_name != 'issue_comment' || github.event.is_pull
    runs-on: ubuntu-latest
    # Node 20.19 or newer, and git. The images that runners use by themselves may have an older Node.
    container: node:22-bookworm
    timeout-minutes: ${timeoutMinutes}
    # What the token of the job may do, from Gitea 1.26 on. Before that it may do all of it.
    permissions:
      # The gate is a commit status, and those belong to the code.
      contents: write
      issues: write
      pull-requests: write
    steps:
      # Nothing of the pull is checked out: Drover fetches what it reads, and runs nothing of it.
      - run: |
          git init --quiet drover
          git -C drover fetch --quiet --depth 1 ${place.includes("://") ? place : `https://github.com/${place}`} ${ref}
          git -C drover checkout --quiet FETCH_HEAD
          node drover/action/index.js
        env:
          # The token of an account of Drover's own that administers the repository. In the name of the job Drover only
          # reviews: it is not told what anybody may do, and so it obeys nobody and merges nothing.
          INPUT_GITHUB_TOKEN: \${{ secrets.DROVER_TOKEN || secrets.GITEA_TOKEN }}
          # Make it once: openssl rand -hex 32, and keep it as a secret of the repository.
          INPUT_SECRET: \${{ secrets.DROVER_SECRET }}
          # With a key for OpenRouter a model reviews beside the rules. That costs money, and the second line caps it.
          # INPUT_OPENROUTER_API_KEY: \${{ secrets.OPENROUTER_API_KEY }}
          INPUT_CONFIG: "budgets: { pullUsd: 3, allowUnpriced: true }"
`;
}
