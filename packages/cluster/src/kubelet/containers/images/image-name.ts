const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const DOMAIN_COMPONENT = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const HOST = `(?:${DOMAIN_COMPONENT}(?:\\.${DOMAIN_COMPONENT})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const DIGEST = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const REFERENCE = new RegExp(
  `^(?:${HOST}/)?(?<path>${COMPONENT}(?:/${COMPONENT})*)(?::\\w[\\w.-]{0,127})?(?:@(?<digest>${DIGEST}))?$`,
  "u",
);
const MOST_CHARACTERS = 255;
const DEFAULT_DOMAIN = "docker.io";

/** Returns why a text does not name an image, in the words of container runtimes; undefined if it does. */
export function imageNameProblem(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/u.test(image))
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  const [domain, remainder] = splitDomain(image);
  const [remote = ""] = remainder.split(":");
  if (remote.toLowerCase() !== remote) return `invalid reference format: repository name (${remote}) must be lowercase`;
  const found = REFERENCE.exec(`${domain}/${remainder}`)?.groups;
  if (found === undefined) return "invalid reference format";
  if ((found["path"] ?? "").length > MOST_CHARACTERS)
    return `repository name must not be more than ${String(MOST_CHARACTERS)} characters`;
  return digestProblem(found["digest"]);
}

// A first part without a dot or a port is a folder of the default registry.
function splitDomain(image: string): readonly [domain: string, remainder: string] {
  const slash = image.indexOf("/");
  if (slash < 0) return [DEFAULT_DOMAIN, `library/${image}`];
  const first = image.slice(0, slash);
  const isDomain = first === "localhost" || /[.:]/u.test(first) || first.toLowerCase() !== first;
  return isDomain ? [first, image.slice(slash + 1)] : [DEFAULT_DOMAIN, image];
}

const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

function digestProblem(digest: string | undefined): string | undefined {
  if (digest === undefined) return undefined;
  const [algorithm = "", hex = ""] = digest.split(":");
  const length = DIGEST_LENGTHS[algorithm];
  if (length === undefined) return "unsupported digest algorithm";
  if (hex.length !== length) return "invalid checksum digest length";
  return /^[a-f0-9]+$/u.test(hex) ? undefined : "invalid checksum digest format";
}
