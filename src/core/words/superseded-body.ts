const notice = "_Superseded: this approval no longer counts._";

export function supersededBody(body: string): string | null {
  if (body === "" || body.includes(notice)) return null;
  const lines = body.split("\n");
  const first = lines.findIndex((line) => !line.startsWith("<!-- drover:"));
  const at = first === -1 ? lines.length : first;
  return [...lines.slice(0, at), notice, "", ...lines.slice(at)].join("\n");
}
