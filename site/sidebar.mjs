// The sidebar: the tables of docs/README.md, in their order.
const HEADING = /^\| (?<title>[^|]+?) \| \|$/u;
const ROW = /^\| \[(?<text>[^\]]+)\]\((?<target>[^)]+)\) \|/u;
const FIRST_GROUP = "Get started";
// Their pages are many, and have an index.
const MARKERS = "reference/markers/README.md";

/** Returns the groups of pages of docs/README.md; links to other files are left out. */
export function sidebarGroups(readme) {
  const groups = [];
  for (const line of readme.split("\n")) {
    const title = HEADING.exec(line)?.groups?.title;
    if (title !== undefined) groups.push({ title, pages: [] });
    const { text, target } = ROW.exec(line)?.groups ?? {};
    if (text === undefined || target === undefined || target.startsWith("../")) continue;
    groups.at(-1)?.pages.push({ text, file: target });
  }
  return groups.filter(({ pages }) => pages.length > 0);
}

/** Returns the sidebar of VitePress. The text of a page is its title, since the tables name most pages by their file. */
export function sidebarOf(readme, { titleOf, markerFiles }) {
  return sidebarGroups(readme).map(({ title, pages }) => ({
    text: title,
    // A group opens with the page that is read.
    collapsed: title !== FIRST_GROUP,
    items: pages.map(({ file }) =>
      file === MARKERS
        ? { ...item(file, titleOf), collapsed: true, items: markerFiles.map((marker) => item(marker, titleOf)) }
        : item(file, titleOf),
    ),
  }));
}

function item(file, titleOf) {
  return { text: titleOf(file), link: `/${file.replace(/README\.md$/u, "").replace(/\.md$/u, "")}` };
}

/** Returns the first heading of a page, without marks of code. */
export function titleOfText(text) {
  return (/^# (?<title>.+)$/mu.exec(text)?.groups?.title ?? "").replaceAll("`", "");
}
