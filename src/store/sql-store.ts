import type { Database } from "#database/database.ts";
import { isOutdated } from "#database/migrate.ts";
import type { Store } from "#ports/store.ts";
import { desiredGateCalls } from "#store/sql-desired-gates.ts";
import { digestCalls } from "#store/sql-digests.ts";
import { obligationCalls } from "#store/sql-obligations.ts";
import { pullCalls } from "#store/sql-pulls.ts";
import { retentionCalls } from "#store/sql-retention.ts";
import { spendingCalls } from "#store/sql-spending.ts";
import { stepCalls } from "#store/sql-steps.ts";
import { throttleCalls } from "#store/sql-throttle.ts";

/** One statement per call but for reservations, atomic at "read committed", the default of both engines. */
export function createSqlStore({ database: { db } }: { readonly database: Pick<Database, "db"> }): Store {
  return {
    ...pullCalls(db),
    ...obligationCalls(db),
    ...stepCalls(db),
    ...throttleCalls(db),
    ...desiredGateCalls(db),
    ...digestCalls(db),
    ...spendingCalls(db),
    ...retentionCalls(db),
    isOutdated: () => isOutdated(db),
  };
}
