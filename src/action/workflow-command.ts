/** Such as `::error file=a.ts,line=3::words`. Escaped: a line break in a message would start a command of its own. */
export function workflowCommand(
  name: "error" | "warning" | "notice" | "add-mask" | "stop-commands",
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const listed = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeProperty(String(value))}`],
  );
  const head = listed.length === 0 ? name : `${name} ${listed.join(",")}`;
  return `::${head}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
