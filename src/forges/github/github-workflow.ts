import type { WorkflowTemplate } from "#forges/forge-descriptor.ts";

export const githubWorkflow: WorkflowTemplate = {
  path: ".github/workflows/drover.yml",
  actionPattern: /^[\w.-]+\/[\w./-]+@\w[\w./-]*$/,
  actionMissing: [
    "--action owner/name@COMMIT is needed: the repository on GitHub that holds Drover, and the commit to run.",
    "Push your copy of Drover to a repository that your workflows may use; `npm run release` in it makes the commit to name.",
  ].join("\n"),
  secretLines: ["  openssl rand -hex 32 | gh secret set DROVER_SECRET"],
  textOf: githubWorkflowText,
};

function githubWorkflowText({ action, timeoutMinutes }: Parameters<WorkflowTemplate["textOf"]>[0]): string {
  return `name: Drover

on:
  pull_request:
    types: [opened, synchronize, reopened, ready_for_review]
  issue_comment:
    types: [created, edited]
  pull_request_review:
    types: [submitted, edited]
  pull_request_review_comment:
    types: [created, edited]

# One run for each pull, and the newest one: whatever an older one had begun, the next finds on the pull.
# What a bot says gets a group of its own, so that it cannot cancel anything, and so does a remark on a fork's pull: GitHub
# gives that run no right to write, and it must not end one that has it.
concurrency:
  group: drover-\${{ (github.event.comment.user.type == 'Bot' || github.event.review.user.type == 'Bot' || (startsWith(github.event_name, 'pull_request_review') && github.event.pull_request.head.repo.full_name != github.repository)) && github.run_id || github.event.pull_request.number || github.event.issue.number }}
  cancel-in-progress: true

permissions: {}

jobs:
  # Not \`drover\`: that is the status that says what came of it, and the one to require of a branch.
  review:
    if: >-
      github.event.comment.user.type != 'Bot' &&
      github.event.review.user.type != 'Bot' &&
      (github.event_name != 'issue_comment' || github.event.issue.pull_request)
    runs-on: ubuntu-latest
    # Longer than \`review_timeout_minutes\`, so that Drover can still say what it did not get to: raise both.
    timeout-minutes: ${timeoutMinutes}
    permissions:
      # With \`write\` Drover also resolves the threads of what was fixed, and can push fixes.
      contents: read
      issues: write
      pull-requests: write
      statuses: write
      checks: read
      # GitHub tells which workflow a check belongs to only with this.
      actions: read
    steps:
      # No checkout: Drover fetches what it reads, and runs nothing of it.
      - uses: ${action}
        with:
          github_token: \${{ github.token }}
          # Make it once: openssl rand -hex 32, and keep it as a secret of the repository.
          secret: \${{ secrets.DROVER_SECRET }}
          # With a key for OpenRouter a model reviews beside the rules. That costs money, and the second line caps it.
          # openrouter_api_key: \${{ secrets.OPENROUTER_API_KEY }}
          config: "budgets: { pullUsd: 3, allowUnpriced: true }"
`;
}
