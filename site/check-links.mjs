// Checks the built site: every internal link leads to a page, and every anchor to a heading.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const HREF = /<a\b[^>]*?\shref="(?<href>[^"]+)"/gu;
const ID = /\sid="(?<id>[^"]+)"/gu;

/** Returns a line for each link that leads nowhere, with the page that contains it. */
export function deadLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".html") && file !== "404.html");
  const pages = new Map(files.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
  const ids = new Map(
    [...pages].map(([file, html]) => [file, new Set([...html.matchAll(ID)].map(({ groups }) => groups.id))]),
  );
  return [...pages].flatMap(([file, html]) =>
    [...new Set([...html.matchAll(HREF)].map(({ groups }) => groups.href.replaceAll("&amp;", "&")))]
      .filter((href) => !isFine(href, { file, ids, base }))
      .map((href) => `${file}: ${href}`),
  );
}

function isFine(href, { file, ids, base }) {
  if (/^[a-z][a-z\d+.-]*:/iu.test(href)) return true;
  const { pathname, hash } = new URL(href, `http://site${base}${file}`);
  if (!pathname.startsWith(base)) return false;
  const where = decodeURIComponent(pathname.slice(base.length));
  const target = [where, `${where}.html`, `${where}index.html`, `${where}/index.html`].find((each) => ids.has(each));
  if (target === undefined) return false;
  const anchor = decodeURIComponent(hash.slice(1));
  return anchor === "" || ids.get(target)?.has(anchor) === true;
}
