import { dockerAddUrl } from "#reviewers/rules/ci/docker-add-url.ts";
import { dockerImageUnpinned } from "#reviewers/rules/ci/docker-image-unpinned.ts";
import { pipedInstaller } from "#reviewers/rules/ci/piped-installer.ts";
import { unpinnedAction } from "#reviewers/rules/ci/unpinned-action.ts";
import { untrustedCheckout } from "#reviewers/rules/ci/untrusted-checkout.ts";
import { workflowInjection } from "#reviewers/rules/ci/workflow-injection.ts";
import { writeAllPermissions } from "#reviewers/rules/ci/write-all-permissions.ts";
import { blanketSuppression } from "#reviewers/rules/code/blanket-suppression.ts";
import { debugOutput } from "#reviewers/rules/code/debug-output.ts";
import { debuggerStatement } from "#reviewers/rules/code/debugger-statement.ts";
import { evalOfValue } from "#reviewers/rules/code/eval-of-value.ts";
import { predictableSecret } from "#reviewers/rules/code/predictable-secret.ts";
import { shellInjection } from "#reviewers/rules/code/shell-injection.ts";
import { sqlInjection } from "#reviewers/rules/code/sql-injection.ts";
import { swallowedError } from "#reviewers/rules/code/swallowed-error.ts";
import { tlsVerificationOff } from "#reviewers/rules/code/tls-verification-off.ts";
import { unsafeYaml } from "#reviewers/rules/code/unsafe-yaml.ts";
import { dependencyFromAddress } from "#reviewers/rules/dependencies/dependency-from-address.ts";
import { installScript } from "#reviewers/rules/dependencies/install-script.ts";
import { lockfileDrift } from "#reviewers/rules/dependencies/lockfile-drift.ts";
import { binaryAddition } from "#reviewers/rules/files/binary-addition.ts";
import { executableMode } from "#reviewers/rules/files/executable-mode.ts";
import { hugeAddition } from "#reviewers/rules/files/huge-addition.ts";
import { junkFile } from "#reviewers/rules/files/junk-file.ts";
import { symlinkOutside } from "#reviewers/rules/files/symlink-outside.ts";
import { unportablePath } from "#reviewers/rules/files/unportable-path.ts";
import type { Rule } from "#reviewers/rules/rule.ts";
import { envFile } from "#reviewers/rules/secrets/env-file.ts";
import { leakedSecret } from "#reviewers/rules/secrets/leaked-secret.ts";
import { deletedTest } from "#reviewers/rules/tests/deleted-test.ts";
import { focusedTest } from "#reviewers/rules/tests/focused-test.ts";
import { skippedTest } from "#reviewers/rules/tests/skipped-test.ts";
import { conflictMarker } from "#reviewers/rules/text/conflict-marker.ts";
import { farRightCode } from "#reviewers/rules/text/far-right-code.ts";
import { hiddenUnicode } from "#reviewers/rules/text/hidden-unicode.ts";
import { mixedScript } from "#reviewers/rules/text/mixed-script.ts";

export const allRules: readonly Rule[] = [
  envFile,
  leakedSecret,
  conflictMarker,
  farRightCode,
  hiddenUnicode,
  mixedScript,
  deletedTest,
  focusedTest,
  skippedTest,
  blanketSuppression,
  debugOutput,
  debuggerStatement,
  evalOfValue,
  predictableSecret,
  shellInjection,
  sqlInjection,
  swallowedError,
  tlsVerificationOff,
  unsafeYaml,
  dockerAddUrl,
  dockerImageUnpinned,
  pipedInstaller,
  unpinnedAction,
  untrustedCheckout,
  workflowInjection,
  writeAllPermissions,
  dependencyFromAddress,
  installScript,
  lockfileDrift,
  binaryAddition,
  executableMode,
  hugeAddition,
  junkFile,
  symlinkOutside,
  unportablePath,
];
