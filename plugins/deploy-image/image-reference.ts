import { InvalidImageError } from "./errors.ts";

/** The parts of a reference to an image; absent ones were not written. */
export interface ImageReference {
  /** Where the image is kept, with the port if one was written: `ghcr.io`, `localhost:5000`. */
  readonly registry?: string;
  /** The name there: `library/nginx`. */
  readonly path: string;
  readonly tag?: string;
  readonly digest?: string;
}

const LONGEST_NAME = 255;
const HOST_PART = /^(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])$/u;
const PATH_PART = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/u;
const TAG = /^\w[\w.-]{0,127}$/u;
const DIGEST_ALGORITHM = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*$/u;
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * Takes a reference to an image apart, by the rules of container runtimes.
 *
 * Fails: {@link InvalidImageError} that says which part breaks which rule.
 */
export function parseImageReference(text: string): ImageReference {
  const { name, digest } = splitDigest(text);
  const { rest, tag } = splitTag(text, name);
  const { registry, path } = splitRegistry(rest);
  if (registry !== undefined) checkRegistry(text, registry);
  checkPath(text, path);
  if (rest.length > LONGEST_NAME)
    throw new InvalidImageError(text, `its name is longer than ${LONGEST_NAME} characters`);
  if (/^[a-f0-9]{64}$/u.test(rest)) throw new InvalidImageError(text, "it is an image ID, not a name");
  return {
    ...(registry === undefined ? {} : { registry }),
    path,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function splitDigest(text: string): { readonly name: string; readonly digest: string | undefined } {
  const at = text.indexOf("@");
  if (at < 0) return { name: text, digest: undefined };
  const digest = text.slice(at + 1);
  const [algorithm = "", hex = "", ...others] = digest.split(":");
  if (!DIGEST_ALGORITHM.test(algorithm) || others.length > 0 || !/^[a-fA-F0-9]{32,}$/u.test(hex))
    throw new InvalidImageError(text, `"${digest}" is not a digest such as sha256:<64 hexadecimal digits>`);
  const length = DIGEST_LENGTHS[algorithm];
  if (length === undefined)
    throw new InvalidImageError(text, `the algorithm "${algorithm}" of its digest is not supported`);
  if (hex.length !== length || hex !== hex.toLowerCase())
    throw new InvalidImageError(text, `a digest of ${algorithm} has ${length} hexadecimal digits in lower case`);
  return { name: text.slice(0, at), digest };
}

// The colon of a tag is behind the last slash; one before it belongs to the port of the registry.
function splitTag(text: string, name: string): { readonly rest: string; readonly tag: string | undefined } {
  const colon = name.indexOf(":", name.lastIndexOf("/") + 1);
  if (colon < 0) return { rest: name, tag: undefined };
  const tag = name.slice(colon + 1);
  if (!TAG.test(tag)) {
    throw new InvalidImageError(
      text,
      `"${tag}" is not a tag: up to 128 letters, digits, underscores, dots, and dashes, not starting with a dot or dash`,
    );
  }
  return { rest: name.slice(0, colon), tag };
}

// A first part without a dot and a port is a part of the name, unless it is localhost or has capitals, which names cannot have.
function splitRegistry(rest: string): { readonly registry: string | undefined; readonly path: string } {
  const slash = rest.indexOf("/");
  const first = rest.slice(0, Math.max(slash, 0));
  const isRegistry = slash >= 0 && (/[.:A-Z]/u.test(first) || first === "localhost");
  return isRegistry ? { registry: first, path: rest.slice(slash + 1) } : { registry: undefined, path: rest };
}

function checkRegistry(text: string, registry: string): void {
  const { host = "", port } = /^(?<host>\[[a-fA-F0-9:]+\]|[^:]*)(?::(?<port>.*))?$/u.exec(registry)?.groups ?? {};
  const isAddress = host.startsWith("[");
  if (!isAddress && !host.split(".").every((part) => HOST_PART.test(part)))
    throw new InvalidImageError(text, `"${registry}" is not a registry such as ghcr.io or localhost:5000`);
  if (port !== undefined && !(/^\d{1,5}$/u.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    throw new InvalidImageError(text, `"${port}" is not a port`);
}

function checkPath(text: string, path: string): void {
  if (path === "") throw new InvalidImageError(text, "it has no name");
  const wrong = path.split("/").find((part) => !PATH_PART.test(part));
  if (wrong === undefined) return;
  const lower = wrong.toLowerCase();
  const problem = PATH_PART.test(lower)
    ? `names must be in lower case: "${lower}"`
    : `"${wrong}" is not a valid name part: use lower-case letters and digits, separated by a dot, one or two underscores, or dashes`;
  throw new InvalidImageError(text, problem);
}
