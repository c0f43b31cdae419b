import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { Logger } from "../log/logger.ts";

/** Returns what makes a controller's loggers: they name the controller, its kind and the object of a request. */
export function requestLogger<R>(
  logger: Logger,
  controller: string,
  kind: GroupVersionKind | undefined,
): (request: R | undefined) => Logger {
  const log = logger.withValues({
    controller,
    ...(kind === undefined ? {} : { controllerGroup: kind.group, controllerKind: kind.kind }),
  });
  return (request) => {
    if (!isNamed(request)) {
      return request === undefined ? log : log.withValues({ request });
    }
    const { name, namespace } = request;
    const object = kind === undefined ? {} : { [kind.kind]: { name, namespace } };
    return log.withValues({ ...object, namespace, name });
  };
}

function isNamed(request: unknown): request is { readonly name: string; readonly namespace: string } {
  return typeof request === "object" && request !== null && "name" in request && "namespace" in request;
}
