import type { InstanceId } from "#core/model/ids.ts";
import type { DeliveryGroup } from "#ports/intake.ts";

/** Groups that this process has written itself, so that it need not read them back. Each is also in the database. */
export interface DeliveryGroupCache {
  add(groups: readonly DeliveryGroup[]): void;
  /** The oldest of these forges, at most so many. They are not given again: whoever fails with them reads them later. */
  take(request: { readonly limit: number; readonly instances: readonly InstanceId[] }): readonly DeliveryGroup[];
}

/** Four times what is read at once. What nobody takes for so long waits in the database, not here. */
const keptMax = 512;

export function createDeliveryGroupCache(): DeliveryGroupCache {
  let kept: readonly DeliveryGroup[] = [];
  return {
    add: (groups) => {
      kept = [...kept, ...groups].slice(-keptMax);
    },
    take: ({ limit, instances }) => {
      const taken = kept.filter(({ instance }) => instances.includes(instance)).slice(0, limit);
      const gone = new Set(taken);
      kept = kept.filter((group) => !gone.has(group));
      return taken;
    },
  };
}
