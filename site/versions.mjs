// The versions of the site: `/` is built from the checkout, and the last release of each earlier minor version has a folder.
const TAG = /^v(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)$/u;
// Each is built for every publication, which takes minutes.
const MOST_EARLIER = 5;

/**
 * Returns the last release of each minor version before the present one, newest first.
 *
 * @param {readonly string[]} tags those of the repository
 * @param {string} present the version in package.json
 */
export function earlierVersions(tags, present) {
  const newestFirst = tags.filter((tag) => TAG.test(tag)).toSorted((left, right) => compare(right, left));
  const lastOfMinor = newestFirst.filter(
    (tag, index) => newestFirst.findIndex((each) => folderOf(each) === folderOf(tag)) === index,
  );
  return lastOfMinor
    .filter((tag) => compare(tag, `v${present}`) < 0 && folderOf(tag) !== folderOf(`v${present}`))
    .slice(0, MOST_EARLIER)
    .map((tag) => tag.slice(1));
}

/** Returns the folder of a version, such as `v0.1` for 0.1.3. */
export function folderOf(version) {
  const { major, minor } = parts(version);
  return `v${String(major)}.${String(minor)}`;
}

/**
 * Returns the menu of versions. The first of `all` is at the origin, and the others are in their folders; without an origin, the site has one version.
 *
 * @param {{ version: string, all: readonly string[], origin: string | undefined, changelog: string }} site
 */
export function versionMenu({ version, all, origin, changelog }) {
  const others = origin === undefined ? [] : all.filter((each) => each !== version);
  return {
    text: `v${version}`,
    items: [
      { text: `v${version} (this site)`, link: "/" },
      ...others.map((each) => ({
        text: each === all[0] ? `v${each} (latest)` : `v${each}`,
        link: each === all[0] ? origin : `${origin}${folderOf(each)}/`,
        target: "_self",
      })),
      { text: "Changelog", link: changelog },
    ],
  };
}

function compare(left, right) {
  const [first, second] = [parts(left), parts(right)];
  return first.major - second.major || first.minor - second.minor || first.patch - second.patch;
}

function parts(version) {
  const { major, minor, patch } = TAG.exec(version.startsWith("v") ? version : `v${version}`)?.groups ?? {};
  if (major === undefined) throw new Error(`not a version of a release: ${version}`);
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}
