import { type CostRequest, costPath } from "#app/cost/cost-api.ts";
import { askServer, type DataLocation, withServerOrDatabase } from "#app/serve/data-access.ts";
import { CostOverview } from "#core/budget/cost-overview.ts";
import { readCost } from "#store/read-cost.ts";

export async function fetchCost(location: DataLocation, asked: CostRequest): Promise<CostOverview> {
  return await withServerOrDatabase(location, {
    directly: async (database) => {
      try {
        return await readCost(database.db, asked);
      } finally {
        await database.close();
      }
    },
    byServer: async (server) => CostOverview.parse(await askServer(server, costPath, asked)),
  });
}
