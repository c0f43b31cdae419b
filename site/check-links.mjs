// Checks the built site: every internal link leads to a page, every anchor to a heading, and every image to a file of the site.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const HREF = /<a\b[^>]*?\shref="(?<href>[^"]+)"/gu;
const IMAGE = /<img\b[^>]*?\ssrc="(?<src>[^"]+)"/gu;
const ID = /\sid="(?<id>[^"]+)"/gu;

/** Returns a line for each link and image that leads nowhere, with the page that contains it. */
export function deadLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".html") && file !== "404.html");
  const pages = new Map(files.map((file) => [file, readFileSync(path.join(folder, file), "utf8")]));
  const ids = new Map(
    [...pages].map(([file, html]) => [file, new Set([...html.matchAll(ID)].map(({ groups }) => groups.id))]),
  );
  return [...pages].flatMap(([file, html]) => {
    const links = [...new Set([...html.matchAll(HREF)].map(({ groups }) => groups.href.replaceAll("&amp;", "&")))];
    const images = [...new Set([...html.matchAll(IMAGE)].map(({ groups }) => groups.src))];
    return [
      ...links.filter((href) => !isFine(href, { file, ids, base })),
      ...images.filter((src) => !isImage(src, { file, folder, base })),
    ].map((each) => `${file}: ${each}`);
  });
}

// An image of another site would be a request to a third party.
function isImage(src, { file, folder, base }) {
  if (src.startsWith("data:image/")) return true;
  const { host, pathname } = new URL(src, `http://site${base}${file}`);
  if (host !== "site" || !pathname.startsWith(base)) return false;
  return existsSync(path.join(folder, decodeURIComponent(pathname.slice(base.length))));
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
