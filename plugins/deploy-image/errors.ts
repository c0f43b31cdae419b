import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when an API is created without an image, or with options of an image and none. */
export class ImageMissingError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_MISSING";
  constructor(problem: string) {
    super(`cannot create the API: ${problem}`, {
      hint: "say with --image which image its Pods run, such as --image=memcached:1.6.38-alpine",
    });
  }
}

/** Is thrown when the text of `--image` is no reference of an image. */
export class InvalidImageError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INVALID_IMAGE";
  constructor(text: string, problem: string) {
    super(`cannot use image "${text}": ${problem}`, {
      hint: "write [registry[:port]/]name[:tag][@digest], such as ghcr.io/acme/cache:1.2",
    });
  }
}

/** Is thrown when the command, port or user of a container is not one it can have. */
export class InvalidContainerError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INVALID_CONTAINER";
}

/** Is thrown when the controller of an API that deploys an image would take the place of another. */
export class ControllerTakenError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_CONTROLLER_TAKEN";
}

/** Is thrown when an API that deploys an image is to be less than a namespaced kind with its own types and controller. */
export class IncompleteApiError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_INCOMPLETE_API";
  constructor(flag: string) {
    super(`cannot deploy an image with ${flag}: a namespaced kind, its types and its controller are made together`, {
      hint: `leave out ${flag}, or create the API without the plugin`,
    });
  }
}

/** Is thrown for a kind whose name the code of the controller, which is longer than others, needs itself. */
export class TakenKindError extends ScaffoldError {
  readonly code = "DEPLOY_IMAGE_TAKEN_KIND";
  constructor(kind: string) {
    super(`cannot deploy an image for kind "${kind}": its controller imports a type of this name`, {
      hint: `choose another name, such as --kind My${kind}, or create the API without the plugin`,
    });
  }
}
