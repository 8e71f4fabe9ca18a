import { actionBundle, readActionBundle } from "./bundle-action.ts";
import { commitRelease } from "./release-commit.ts";

const root = process.cwd();
const outcome = await commitRelease({
  root,
  path: actionBundle,
  build: () => readActionBundle(root),
  message: `release: the sources and ${actionBundle}\n`,
});
if (outcome.kind === "refused") {
  console.error(`No release was made: ${outcome.why}`);
  process.exitCode = 1;
} else {
  const { commit, parent, bytes } = outcome;
  console.log(
    `${commit} has everything of ${parent.slice(0, 10)}, and ${actionBundle} (${Math.ceil(bytes / 1000)} kB).`,
  );
  console.log("Workflows that name it can run it once it is pushed:");
  console.log(`  git push origin ${commit}:refs/tags/action-${parent.slice(0, 10)}`);
}
