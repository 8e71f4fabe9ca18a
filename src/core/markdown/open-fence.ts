export function openFence(text: string): string | null {
  let open: string | null = null;
  for (const [, mark = "", rest = ""] of text.matchAll(/^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm)) {
    if (open === null) {
      // A backtick in the words behind it makes it inline code, not a block.
      if (mark.startsWith("~") || !rest.includes("`")) open = mark;
    } else if (mark[0] === open[0] && mark.length >= open.length && rest.trim() === "") {
      open = null;
    }
  }
  return open;
}
