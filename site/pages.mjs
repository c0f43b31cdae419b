// The pages of docs/ as the site needs them: links to files outside of docs/ lead to the repository.
import { existsSync, statSync } from "node:fs";
import path from "node:path";

/** The folders of docs/ with the images of pages, which the build copies beside the pages. */
export const IMAGE_FOLDERS = ["recordings", "screenshots"];

const LINK = /(?<start>\]\()(?<target>[^)\s]+)(?<end>(?:\s+"[^"]*")?\))/gu;
const FENCE = /^\s*(?<mark>```+|~~~+)/u;
const EXCERPT = /^(```+)\w+ \[(examples\/[^\]\n]+)\]\n[^]*?^\1$/gmu;
const CODE_SPAN = /(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/gu;

/** The page of the site with the tables of docs/README.md; the first page of the site is site/home.md. */
export const ALL_PAGES = "pages.md";

/** Returns the path of a page of docs/ on the site: `README.md` is the index of its folder. */
export function pageOf(file) {
  return file === "README.md" ? ALL_PAGES : file.replace(/\/README\.md$/u, "/index.md");
}

// Files of the repository outside of docs/ that the site has in another form.
const ELSEWHERE = { "README.md": "index.md", examples: "start/examples.md" };

/**
 * Returns the text of a page for the site, and the links in it that lead nowhere.
 *
 * @param {{ file: string, text: string }} page its path in docs/, with slashes
 * @param {{ root: string, repository: string }} where the folder and the address of the repository
 */
export function sitePage({ file, text }, { root, repository }) {
  const dead = [];
  const rewrite = (target) => {
    if (/^(?:[a-z][a-z\d+.-]*:|#|\/)/iu.test(target)) return target;
    const [where = "", hash] = target.split("#");
    const resolved = path.posix.normalize(path.posix.join("docs", path.posix.dirname(file), decodeURI(where)));
    const onDisk = path.join(root, resolved);
    if (!existsSync(onDisk)) dead.push(`docs/${file}: ${target}`);
    const suffix = hash === undefined ? "" : `#${hash}`;
    const page = resolved.startsWith("docs/") ? pageOf(resolved.slice("docs/".length)) : ELSEWHERE[resolved];
    if (page?.endsWith(".md") === true)
      return `${path.posix.relative(path.posix.dirname(pageOf(file)), page)}${suffix}`;
    if (IMAGE_FOLDERS.some((folder) => resolved.startsWith(`docs/${folder}/`))) return target;
    const kind = existsSync(onDisk) && statSync(onDisk).isDirectory() ? "tree" : "blob";
    return `${repository}/${kind}/main/${resolved}${suffix}`;
  };
  const rewriteLine = (line) =>
    outsideCode(line, (part) => part.replace(LINK, (_, start, target, end) => start + rewrite(target) + end));
  return { text: withSources(outsideFences(text, rewriteLine), repository), dead };
}

// A block that names its file gets a link to it, since it is only a part of the file.
function withSources(text, repository) {
  return text.replace(EXCERPT, (block, _, file) => `${block}\n\n*Part of [${file}](${repository}/blob/main/${file})*`);
}

function outsideFences(text, change) {
  let fence;
  return text
    .split("\n")
    .map((line) => {
      const mark = FENCE.exec(line)?.groups?.mark;
      if (fence === undefined && mark !== undefined) fence = mark;
      else if (fence !== undefined && mark !== undefined && mark.startsWith(fence)) fence = undefined;
      else if (fence === undefined) return change(line);
      return line;
    })
    .join("\n");
}

function outsideCode(line, change) {
  const spans = line.match(CODE_SPAN) ?? [];
  // A span may be the text of a link, so the spans are replaced by marks while the links are changed.
  let index = 0;
  const marked = line.replace(CODE_SPAN, () => `\uE000${String(index++)}\uE000`);
  return change(marked).replace(/\uE000(\d+)\uE000/gu, (_, number) => spans[Number(number)] ?? "");
}

/** Returns a line for each link of a built page to a file of the repository that the site has as a page. */
export function linksAway(pages, { has, repository }) {
  const away = new RegExp(
    `href="${repository.replaceAll(".", String.raw`\.`)}/(?:blob|tree)/[^/"]+/(?<file>[^"#]+)`,
    "gu",
  );
  return [...pages].flatMap(([file, html]) =>
    [...html.matchAll(away)]
      .map(({ groups }) => groups.file)
      .filter(
        (target) =>
          ELSEWHERE[target] !== undefined || (target.startsWith("docs/") && has(target.slice("docs/".length))),
      )
      .map((target) => `${file}: ${target}`),
  );
}
