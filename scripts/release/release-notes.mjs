// `node scripts/release/release-notes.mjs <version>`: prints the section of CHANGELOG.md for a version, which becomes the text of its release.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ROOT } from "../ensure-installed.mjs";

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version = ""] = process.argv.slice(2);
  const notes = releaseNotes(readFileSync(path.join(ROOT, "CHANGELOG.md"), "utf8"), version);
  if (notes === undefined) {
    console.error(
      `CHANGELOG.md has no section "## ${version}": merge the pull request of release-please before the release`,
    );
    process.exit(1);
  }
  process.stdout.write(notes);
}

/** Returns the text below the heading of a version, which may be a link, up to the next one, or nothing when there is no text. */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /mu).slice(1);
  const section = sections.find((each) => /^\[?([^\s\]]*)/u.exec(each)?.[1] === version);
  const text = section?.slice(section.indexOf("\n") + 1).trim() ?? "";
  return text === "" ? undefined : `${text}\n`;
}
