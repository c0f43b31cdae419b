import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the name of an image is not one.
 *
 * Fix: Write `host/name:tag` or `host/name@sha256:...`.
 */
export class ImageReferenceError extends ScaffoldError {
  readonly code = "IMAGE_REFERENCE";
}

/**
 * Thrown when the base image is missing, is no image, is damaged, or the layout that is named has several images or none.
 *
 * Fix: Name an image in a registry, or a folder or archive of an OCI image layout; the message says what is wrong with this one.
 */
export class BaseImageError extends ScaffoldError {
  readonly code = "IMAGE_BASE";
}

/**
 * Thrown when the base is not made for a platform that is asked for.
 *
 * Fix: The message lists those it is made for.
 */
export class ImagePlatformError extends ScaffoldError {
  readonly code = "IMAGE_PLATFORM";
}

/**
 * Thrown when the last stage of the Dockerfile does what needs a container or other files, copies no manager, or there is no Dockerfile.
 *
 * Fix: Let it copy `dist/manager.mjs` alone onto a base; or build with Docker.
 */
export class DockerfileError extends ScaffoldError {
  readonly code = "IMAGE_DOCKERFILE";
}

/**
 * Thrown when `dist/manager.mjs` is not there, or `hack/build.mjs` does not say in `dist/manager.meta.json` what it bundled.
 *
 * Fix: Leave out `--build=false`, let the build write esbuild's metafile, or pass `--sbom=false`.
 */
export class ManagerBundleError extends ScaffoldError {
  readonly code = "IMAGE_BUNDLE";
}

/**
 * Thrown when a blob or manifest is not the one that its digest and size name.
 *
 * Fix: Try again; when it stays so, the registry, a proxy or the layout is damaged.
 */
export class DigestMismatchError extends ScaffoldError {
  readonly code = "IMAGE_DIGEST";
}

/**
 * Thrown when the key of `--sign-key` is missing, is not an encrypted private key of cosign, or does not open with the password in `COSIGN_PASSWORD`.
 *
 * Fix: Create a key with `cosign generate-key-pair`, and set `COSIGN_PASSWORD` to its password.
 */
export class SigningKeyError extends ScaffoldError {
  readonly code = "IMAGE_SIGNING_KEY";
}

/**
 * Thrown when the place that the image is to be written to holds something else.
 *
 * Fix: Name another folder or file.
 */
export class ImageTargetError extends ScaffoldError {
  readonly code = "IMAGE_TARGET";
}

/**
 * Thrown when Docker's configuration file, or the entry for a registry in it, is damaged.
 *
 * Fix: Log in again, or correct the file.
 */
export class RegistryCredentialsError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_CREDENTIALS";
}

/**
 * Thrown when the registry wants credentials, or others (401); many answer so for what does not exist, too.
 *
 * Fix: `docker login`, and check the name.
 */
export class RegistryUnauthorizedError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNAUTHORIZED";
}

/**
 * Thrown when the registry knows the user and does not allow this (403).
 *
 * Fix: Ask for the right, or use another repository.
 */
export class RegistryDeniedError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_DENIED";
}

/**
 * Thrown when the registry has no such repository, tag or digest.
 *
 * Fix: Check the name.
 */
export class RegistryNotFoundError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_NOT_FOUND";
}

/**
 * Thrown when the registry does not answer, or breaks off, after five attempts.
 *
 * Fix: Check the name and the network.
 */
export class RegistryUnreachableError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNREACHABLE";
}

/**
 * Thrown when the registry's certificate is not trusted, or it speaks no TLS.
 *
 * Fix: `NODE_EXTRA_CA_CERTS` names a file with the authority's certificate; `--insecure` speaks plain HTTP.
 */
export class RegistryTlsError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_TLS";
}

/**
 * Thrown when the registry answers with another failure, after five attempts where trying again may help.
 *
 * Fix: See what the registry says in the message.
 */
export class RegistryFailureError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_FAILED";
}

/**
 * Thrown when the registry redirects in circles or to an address without encryption, or sends more than it may.
 *
 * Fix: Check the name of the image and of its registry.
 */
export class RegistryUnsafeError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNSAFE";
}
