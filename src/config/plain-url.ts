/**
 * Whether it is where a server is, and nothing else. A name and a password in it would be shown wherever the address is,
 * and with a question or a place on a page at its end nothing could be put behind it.
 */
export function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
