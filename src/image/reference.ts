import { isDigest } from "./descriptor.ts";
import { ImageReferenceError } from "./errors.ts";

/** The name of an image, in full. */
export interface ImageReference {
  /** Is the host, with its port when it has one. */
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const DEFAULT_REGISTRY = "docker.io";
const REPOSITORY = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/u;
const TAG = /^\w[\w.-]{0,127}$/u;
const LONGEST_NAME = 255;

/**
 * Reads the name of an image; without tag and digest it is `latest`, without a host Docker's.
 *
 * Fails: {@link ImageReferenceError}.
 */
export function parseReference(text: string): ImageReference {
  const [beforeDigest = "", digest, ...more] = text.split("@");
  if (more.length > 0 || (digest !== undefined && !isDigest(digest)))
    throw invalid(text, "the digest is not sha256: and 64 hexadecimal digits");
  const [, name = "", tag] = /^(.*?)(?::([^/:]*))?$/su.exec(beforeDigest) ?? [];
  if (tag !== undefined && !TAG.test(tag)) throw invalid(text, `"${tag}" is not a tag`);
  const { registry, repository } = splitName(name);
  if (!REPOSITORY.test(repository)) throw invalid(text, `"${repository}" is not a repository name`);
  if (name.length > LONGEST_NAME) throw invalid(text, "the name is longer than 255 characters");
  if (!/^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::\d+)?$/u.test(registry))
    throw invalid(text, `"${registry}" is not a host name`);
  const version = tag ?? (digest === undefined ? "latest" : undefined);
  return {
    registry,
    repository,
    ...(version === undefined ? {} : { tag: version }),
    ...(digest === undefined ? {} : { digest }),
  };
}

// The first part is a host if it looks like one; Docker's own images have a folder that nobody writes.
function splitName(name: string): Pick<ImageReference, "registry" | "repository"> {
  const [first = "", ...rest] = name.split("/");
  const isHost = rest.length > 0 && (/[.:]/u.test(first) || first === "localhost" || first !== first.toLowerCase());
  const host = isHost ? first : DEFAULT_REGISTRY;
  const registry = host === `index.${DEFAULT_REGISTRY}` ? DEFAULT_REGISTRY : host;
  const repository = isHost ? rest.join("/") : name;
  const isOfficial = registry === DEFAULT_REGISTRY && !repository.includes("/");
  return { registry, repository: isOfficial ? `library/${repository}` : repository };
}

/** Prints the name of an image in full. */
export function imageName({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

/** Returns the host that speaks for a registry. */
export function registryHost(registry: string): string {
  return registry === DEFAULT_REGISTRY ? `registry-1.${DEFAULT_REGISTRY}` : registry;
}

function invalid(text: string, why: string): ImageReferenceError {
  return new ImageReferenceError(`invalid image name "${text}": ${why}`, {
    hint: "write host/name:tag or host/name@sha256:..., in lower case except for the tag",
  });
}
