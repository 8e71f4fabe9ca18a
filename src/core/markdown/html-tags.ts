export interface Page {
  /** An element that hides or quotes what follows, and those within it. */
  readonly open: { readonly name: string; readonly block: string }[];
  isLost: boolean;
  readonly hasTable: boolean;
}

/** As CommonMark defines it, which is a tag to browsers too. */
const strictTag =
  /<(?:(?<name>[a-z][a-z0-9-]*)(?<attributes>(?:\s+[a-z_:][a-z0-9:._-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*)\s*\/?|\/(?<closed>[a-z][a-z0-9-]*)\s*)>/iy;

/** These show code or a quote, or strike out what they hold. */
const quoting = new Set("blockquote code del kbd pre q s samp strike tt var".split(" "));

/** Not shown, or a browser sees no tags in them. */
const swallowing = new Set(
  (
    "applet audio canvas datalist dialog frameset head iframe math meter noembed noframes noscript object plaintext " +
    "progress rp script select style svg template textarea title video xmp"
  ).split(" "),
);

const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

export function readTag(page: Page, text: string, { start, block }: { start: number; block: string }): number | null {
  strictTag.lastIndex = start;
  const tag = strictTag.exec(text);
  if (tag === null) return null;
  // Other blanks are none to some forges.
  if (/[^\S \t\n]/.test(tag[0])) page.isLost = true;
  const { name = "", attributes = "", closed = "" } = tag.groups ?? {};
  if (closed !== "") closeElement(page, closed.toLowerCase(), block);
  else openElement(page, { name: name.toLowerCase(), block }, /\s(?:hidden|popover|style)\b/i.test(attributes));
  return strictTag.lastIndex;
}

function openElement(page: Page, element: Page["open"][number], isStyled: boolean): void {
  const { name } = element;
  if (swallowing.has(name)) page.isLost = true;
  if (voidElements.has(name)) return;
  if (page.open.length > 0 || isStyled || quoting.has(name)) page.open.push(element);
}

/** Browsers ignore some closing tags that do not fit, and the element stays open. */
function closeElement(page: Page, name: string, block: string): void {
  const inner = page.open.pop();
  if (inner !== undefined && (inner.name !== name || inner.block !== block)) page.isLost = true;
}
