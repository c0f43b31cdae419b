import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a deploy-image API was requested without an image.
 *
 * Fix: Set `--image`.
 */
export class ImageMissingError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_MISSING";
  constructor(problem: string) {
    super(`cannot create the API: ${problem}`, {
      hint: "set the image of its Pods, such as --image=memcached:1.6.38-alpine",
    });
  }
}

/**
 * Thrown when the value of `--image` is not an image reference; the message contains the invalid part.
 *
 * Fix: Use the form `[registry[:port]/]name[:tag][@digest]`.
 */
export class InvalidImageError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INVALID_IMAGE";
  constructor(text: string, problem: string) {
    super(`cannot use image "${text}": ${problem}`, {
      hint: "write [registry[:port]/]name[:tag][@digest], such as ghcr.io/acme/cache:1.2",
    });
  }
}

/**
 * Thrown when the command, port, or user of a container is invalid.
 *
 * Fix: Quote commas in the command; use a port from 1 to 65535 and a user ID from 1 to 2147483647.
 */
export class InvalidContainerError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INVALID_CONTAINER";
}

/**
 * Thrown when the deploy-image controller would replace an existing controller of the kind or with the same name.
 *
 * Fix: Add a version without the plugin and with `--controller=false`; for kinds with the same name, run `edit --multigroup`.
 */
export class ControllerTakenError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_CONTROLLER_TAKEN";
}

/**
 * Thrown when a deploy-image API was requested without types or a controller, with a controller name, or cluster-scoped.
 *
 * Fix: Omit the flag, or create the API without the plugin.
 */
export class IncompleteApiError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INCOMPLETE_API";
  constructor(flag: string) {
    super(`cannot deploy an image with ${flag}: the plugin requires a namespaced kind with types and a controller`, {
      hint: `omit ${flag}, or create the API without the plugin`,
    });
  }
}

/**
 * Thrown when a deploy-image kind has the name of a type that its controller imports, such as `Service`.
 *
 * Fix: Use another name, or create the API without the plugin.
 */
export class TakenKindError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_TAKEN_KIND";
  constructor(kind: string) {
    super(`cannot deploy an image for kind "${kind}": its controller imports a type of this name`, {
      hint: `choose another name, such as --kind My${kind}, or create the API without the plugin`,
    });
  }
}
