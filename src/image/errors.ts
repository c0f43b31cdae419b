import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when the name of an image is not one. */
export class ImageReferenceError extends ScaffoldError {
  readonly code = "IMAGE_REFERENCE";
}

/** Is thrown when there is no base image, or the one that is named cannot be read as one. */
export class BaseImageError extends ScaffoldError {
  readonly code = "IMAGE_BASE";
}

/** Is thrown when a base image does not exist for a platform that is asked for. */
export class ImagePlatformError extends ScaffoldError {
  readonly code = "IMAGE_PLATFORM";
}

/** Is thrown when the last stage of a Dockerfile does what only a container can do, or does not say what an image needs. */
export class DockerfileError extends ScaffoldError {
  readonly code = "IMAGE_DOCKERFILE";
}

/** Is thrown when the bundle of the manager, or the list of what is in it, is not there. */
export class ManagerBundleError extends ScaffoldError {
  readonly code = "IMAGE_BUNDLE";
}

/** Is thrown when a blob or manifest is not the one that its digest and size name. */
export class DigestMismatchError extends ScaffoldError {
  readonly code = "IMAGE_DIGEST";
}

/** Is thrown when the place that an image is to be written to holds something else. */
export class ImageTargetError extends ScaffoldError {
  readonly code = "IMAGE_TARGET";
}

/** Is thrown when credentials are configured but cannot be read. */
export class RegistryCredentialsError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_CREDENTIALS";
}

/** Is thrown when a registry wants other credentials than it was given, or any at all. */
export class RegistryUnauthorizedError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNAUTHORIZED";
}

/** Is thrown when a registry knows the user and does not allow the request. */
export class RegistryDeniedError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_DENIED";
}

/** Is thrown when a registry has no such repository, tag or blob. */
export class RegistryNotFoundError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_NOT_FOUND";
}

/** Is thrown when a registry cannot be reached, or breaks off. */
export class RegistryUnreachableError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNREACHABLE";
}

/** Is thrown when a registry's certificate is not trusted, or it speaks no TLS. */
export class RegistryTlsError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_TLS";
}

/** Is thrown when a registry answers with anything else that is no success. */
export class RegistryFailureError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_FAILED";
}

/** Is thrown when a registry answers in a way that is not safe: a redirect without encryption, or more than it may send. */
export class RegistryUnsafeError extends ScaffoldError {
  readonly code = "IMAGE_REGISTRY_UNSAFE";
}
