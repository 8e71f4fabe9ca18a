import { type CostAsked, costPath } from "#app/cost/cost-api.ts";
import { askServer, type DataPlace, reachData } from "#app/serve/reach-data.ts";
import { CostOverview } from "#core/budget/cost-overview.ts";
import { readCost } from "#store/read-cost.ts";

/** Answered by the server where one has the folder, else read directly. */
export async function askCost(place: DataPlace, asked: CostAsked): Promise<CostOverview> {
  return await reachData(place, {
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
