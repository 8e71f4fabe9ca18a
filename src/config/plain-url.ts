/**
 * Whether it is the address of a server, and nothing else. A name and a password in it would be shown with the address,
 * and nothing could be appended after a query or a fragment.
 */
export function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
