import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the image reference is invalid.
 *
 * Fix: Use `host/name:tag` or `host/name@sha256:...`.
 */
export class ImageReferenceError extends ScaffoldError {
  readonly code = "IMAGE_REFERENCE";
}

/**
 * Thrown when the base image is missing, invalid, or damaged, or an OCI layout contains several images or none.
 *
 * Fix: Use an image in a registry, or a folder or archive with an OCI image layout.
 */
export class BaseImageError extends ScaffoldError {
  readonly code = "IMAGE_BASE";
}

/**
 * Thrown when the base image does not support a requested platform.
 *
 * Fix: Use one of the platforms in the message.
 */
export class ImagePlatformError extends ScaffoldError {
  readonly code = "IMAGE_PLATFORM";
}

/**
 * Thrown when there is no Dockerfile, or its last stage runs commands, copies other files, or does not copy the manager.
 *
 * Fix: Copy only `dist/manager.mjs` to the base image, or build with Docker.
 */
export class DockerfileError extends ScaffoldError {
  readonly code = "IMAGE_DOCKERFILE";
}

/**
 * Thrown when `dist/manager.mjs` is missing, or `hack/build.mjs` did not write its contents to `dist/manager.meta.json`.
 *
 * Fix: Omit `--build=false`, write esbuild's metafile in the build, or pass `--sbom=false`.
 */
export class ManagerBundleError extends ScaffoldError {
  readonly code = "IMAGE_BUNDLE";
}

/**
 * Thrown when a blob or manifest does not match its digest or size.
 *
 * Fix: Try again; if the error persists, the registry, a proxy, or the layout is damaged.
 */
export class DigestMismatchError extends ScaffoldError {
  readonly code = "IMAGE_DIGEST";
}

/**
 * Thrown when the key of `--sign-key` is missing, is not an encrypted private key of cosign, or cannot be decrypted with the password in `COSIGN_PASSWORD`.
 *
 * Fix: Create a key with `cosign generate-key-pair`, and set `COSIGN_PASSWORD` to its password.
 */
export class SigningKeyError extends ScaffoldError {
  readonly code = "IMAGE_SIGNING_KEY";
}

/**
 * Thrown when the output path of an image contains other files.
 *
 * Fix: Choose another folder or file.
 */
export class ImageTargetError extends ScaffoldError {
  readonly code = "IMAGE_TARGET";
}

/**
 * Thrown when Docker's configuration file, or its entry for a registry, is invalid.
 *
 * Fix: Log in again, or fix the file.
 */
export class RegistryCredentialsError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_CREDENTIALS";
}

/**
 * Thrown when the registry requires credentials or rejects the given ones (401); many registries also return this for a missing repository.
 *
 * Fix: Run `docker login`, and check the name.
 */
export class RegistryUnauthorizedError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNAUTHORIZED";
}

/**
 * Thrown when the registry denies access to the authenticated user (403).
 *
 * Fix: Request permission, or use another repository.
 */
export class RegistryDeniedError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_DENIED";
}

/**
 * Thrown when the registry does not have the repository, tag, or digest.
 *
 * Fix: Check the name.
 */
export class RegistryNotFoundError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_NOT_FOUND";
}

/**
 * Thrown when the registry does not respond, or the connection breaks, after five attempts.
 *
 * Fix: Check the name and the network.
 */
export class RegistryUnreachableError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNREACHABLE";
}

/**
 * Thrown when the registry's certificate is not trusted, or the registry does not support TLS.
 *
 * Fix: Set `NODE_EXTRA_CA_CERTS` to a file with the CA certificate, or use plain HTTP with `--insecure`.
 */
export class RegistryTlsError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_TLS";
}

/**
 * Thrown when the registry returned another error, after up to five attempts.
 *
 * Fix: Read the registry's response in the message.
 */
export class RegistryFailureError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_FAILED";
}

/**
 * Thrown when the registry redirects in a loop or from HTTPS to HTTP, or its response exceeds the limit.
 *
 * Fix: Check the names of the image and the registry.
 */
export class RegistryUnsafeError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNSAFE";
}
