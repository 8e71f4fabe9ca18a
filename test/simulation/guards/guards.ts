import type { Guard } from "./guard.ts";
import { actGuards } from "./guards-act.ts";
import { approvalGuards } from "./guards-approval.ts";
import { commandGuards } from "./guards-commands.ts";
import { edgeGuards } from "./guards-edges.ts";
import { jobGuards } from "./guards-jobs.ts";
import { ledgerGuards } from "./guards-ledger.ts";
import { mergeGuards } from "./guards-merge.ts";
import { observeGuards } from "./guards-observe.ts";
import { reconcileGuards } from "./guards-reconcile.ts";

/** Everything that is removed one by one by `npm run mutate`. */
export const guards: readonly Guard[] = [
  ...ledgerGuards,
  ...actGuards,
  ...observeGuards,
  ...reconcileGuards,
  ...jobGuards,
  ...approvalGuards,
  ...commandGuards,
  ...mergeGuards,
  ...edgeGuards,
];
