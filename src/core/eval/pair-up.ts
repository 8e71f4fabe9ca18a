/** `wanted[i]` are the partners of the i-th, dearest first. Of all largest pairings, one with the most of the first. */
export function pairUp(wanted: readonly (readonly number[])[]): readonly (number | null)[] {
  const takenBy = new Map<number, number>();
  for (const index of wanted.keys()) findPartner(index, { wanted, takenBy, asked: new Set() });
  const partners: (number | null)[] = wanted.map(() => null);
  for (const [partner, index] of takenBy) partners[index] = partner;
  return partners;
}

interface Pairing {
  readonly wanted: readonly (readonly number[])[];
  readonly takenBy: Map<number, number>;
  readonly asked: Set<number>;
}

/** No partner is asked twice, so this ends. */
function findPartner(index: number, pairing: Pairing): boolean {
  const { wanted, takenBy, asked } = pairing;
  for (const partner of wanted[index] ?? []) {
    if (asked.has(partner)) continue;
    asked.add(partner);
    const holder = takenBy.get(partner);
    if (holder === undefined || findPartner(holder, pairing)) {
      takenBy.set(partner, index);
      return true;
    }
  }
  return false;
}
