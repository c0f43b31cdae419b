import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when an API is to deploy an image, and it is not said which.
 *
 * Fix: Give `--image`.
 */
export class ImageMissingError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_MISSING";
  constructor(problem: string) {
    super(`cannot create the API: ${problem}`, {
      hint: "say with --image which image its Pods run, such as --image=memcached:1.6.38-alpine",
    });
  }
}

/**
 * Thrown when the text of `--image` is no reference of an image; the message names the part.
 *
 * Fix: Write `[registry[:port]/]name[:tag][@digest]`.
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
 * Thrown when the command, port or user of a container is not one it can have.
 *
 * Fix: Write a comma within quotes, a port of 1 to 65535, a user id of 1 to 2147483647.
 */
export class InvalidContainerError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INVALID_CONTAINER";
}

/**
 * Thrown when the controller of an API that deploys an image would take the place of another, of the kind or of its name.
 *
 * Fix: Add a version without the plugin and with `--controller=false`; `edit --multigroup` for kinds of one name.
 */
export class ControllerTakenError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_CONTROLLER_TAKEN";
}

/**
 * Thrown when an API that deploys an image is to have no types, no controller, another name for it, or no namespaces.
 *
 * Fix: Leave the flag out, or create the API without the plugin.
 */
export class IncompleteApiError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INCOMPLETE_API";
  constructor(flag: string) {
    super(`cannot deploy an image with ${flag}: a namespaced kind, its types and its controller are made together`, {
      hint: `leave out ${flag}, or create the API without the plugin`,
    });
  }
}

/**
 * Thrown when a kind that is to deploy an image has the name of a type that its controller imports, such as `Service`.
 *
 * Fix: Choose another name, or create the API without the plugin.
 */
export class TakenKindError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_TAKEN_KIND";
  constructor(kind: string) {
    super(`cannot deploy an image for kind "${kind}": its controller imports a type of this name`, {
      hint: `choose another name, such as --kind My${kind}, or create the API without the plugin`,
    });
  }
}
