const TAG = /<[a-z][^<>]*>/giu;
// The attributes whose values are addresses; the names of their elements do not matter.
const ATTRIBUTE =
  /(?<before>\s(?:action|background|cite|classid|codebase|data|formaction|href|icon|longdesc|manifest|poster|profile|src|usemap)=["'])(?<address>[^"'<>]*)/giu;

/** Rewrites the absolute paths of the links in a page, so that they lead through a proxy. */
export function rewriteLinks(html: string, prefix: string): string {
  return html.replaceAll(TAG, (tag) =>
    tag.replaceAll(ATTRIBUTE, (_match, before: string, address: string) => `${before}${rewriteLink(address, prefix)}`),
  );
}

/** Rewrites an absolute path, so that it leads through a proxy; other addresses stay. */
export function rewriteLink(address: string, prefix: string): string {
  const isPath = address.startsWith("/") && !address.startsWith("//");
  return isPath && !address.startsWith(prefix) ? `${prefix}${address}` : address;
}
