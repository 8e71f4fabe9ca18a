import type { Insertable, Selectable } from "kysely";
import { z } from "zod";
import { InstanceId, RepositoryId } from "#core/model/ids.ts";
import { instant } from "#core/model/instant.ts";
import type { DeliveryGroupTable } from "#database/tables.ts";
import type { DeliveryGroup, DeliveryReference } from "#ports/intake.ts";
import { readRow } from "#store/stored-json.ts";

/** As a group holds it; `delivery-log.ts` writes the same for what earlier versions have left. */
const StoredDelivery = z.object({
  repository: RepositoryId,
  name: z.string(),
  pull: z.number(),
  author: z.string().exactOptional(),
  delivery: z.string().nullable(),
  kind: z.string(),
  at: z.number(),
});
type StoredDelivery = z.infer<typeof StoredDelivery>;
const StoredDeliveries = z.array(StoredDelivery);

/** One row for each forge. */
export function groupRowsOf(references: readonly DeliveryReference[]): readonly Insertable<DeliveryGroupTable>[] {
  const stored = new Map<InstanceId, StoredDelivery[]>();
  for (const reference of references) {
    const those = stored.get(reference.instance);
    if (those === undefined) stored.set(reference.instance, [storedOf(reference)]);
    else those.push(storedOf(reference));
  }
  return [...stored].map(([instance, those]) => {
    return { instance, count: those.length, deliveries: JSON.stringify(those) };
  });
}

function storedOf({ pull, author, delivery, kind, receivedAt }: DeliveryReference): StoredDelivery {
  const { repository, number } = pull;
  const whose = author === undefined ? {} : { author };
  return { repository: repository.id, name: repository.name, pull: number, ...whose, delivery, kind, at: receivedAt };
}

export function groupOf({ number, instance: name, deliveries }: Selectable<DeliveryGroupTable>): DeliveryGroup {
  const instance = InstanceId.parse(name);
  const stored = readRow(StoredDeliveries, deliveries, { table: "delivery_group", key: String(number) });
  return { number, instance, references: stored.map((one) => referenceOf(instance, one)) };
}

function referenceOf(
  instance: InstanceId,
  { repository, name, pull, author, delivery, kind, at }: StoredDelivery,
): DeliveryReference {
  return {
    instance,
    pull: { repository: { id: repository, name }, number: pull },
    ...(author === undefined ? {} : { author }),
    delivery,
    kind,
    receivedAt: instant(at),
  };
}
