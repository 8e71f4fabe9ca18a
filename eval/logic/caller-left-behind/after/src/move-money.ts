export interface Transfer {
  from: string;
  to: string;
  amountCents: number;
}

export function moveMoney(amountCents: number, from: string, to: string): Transfer {
  if (amountCents <= 0) throw new Error("nothing to move");
  return { from, to, amountCents };
}
