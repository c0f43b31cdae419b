/** The rule that {@link readExactVersion} enforces, for messages. */
export const EXACT_VERSION_RULE = "it is not an exact version of three numbers, such as 0.2.0";

// The bounds that npm sets: beyond them it reads a text as a tag, which may be for any version.
const MOST_CHARACTERS = 256;
const IDENTIFIER = /^[\dA-Za-z-]+$/u;

/**
 * Reads an exact version by the grammar of Semantic Versioning 2.0.0 and returns it without a leading `v`; nothing for every other text.
 *
 * Guarantees: the result is nothing that npm or git reads as a range, tag, path, repository, address, alias, or flag.
 */
export function readExactVersion(text: string): string | undefined {
  const version = text.startsWith("v") ? text.slice(1) : text;
  if (version.length > MOST_CHARACTERS) return undefined;
  const [release, build] = splitAt(version, "+");
  const [core, prerelease] = splitAt(release, "-");
  const numbers = core.split(".");
  const isExact =
    numbers.length === 3 &&
    numbers.every(isNumber) &&
    (prerelease === undefined || prerelease.split(".").every(isPrereleaseIdentifier)) &&
    (build === undefined || build.split(".").every((part) => IDENTIFIER.test(part)));
  return isExact ? version : undefined;
}

function splitAt(text: string, sign: string): readonly [before: string, after: string | undefined] {
  const at = text.indexOf(sign);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isNumber(text: string): boolean {
  return /^(?:0|[1-9]\d*)$/u.test(text) && Number.isSafeInteger(Number(text));
}

function isPrereleaseIdentifier(text: string): boolean {
  return /^\d+$/u.test(text) ? isNumber(text) : IDENTIFIER.test(text);
}
