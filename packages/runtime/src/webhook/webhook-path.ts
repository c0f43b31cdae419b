import type { GroupVersionKind } from "@kubescaffold/k8s";

/** The path of the webhook that converts the objects of all kinds. */
export const CONVERT_PATH = "/convert";

const PATH = /^((\/[a-zA-Z0-9\-_]+)+|\/)$/u;

/** Returns the path of a mutating webhook: `/mutate-webapp-example-com-v1-guestbook`; the core group leaves two dashes together. */
export function mutatePath(gvk: GroupVersionKind): string {
  return pathOf("mutate", gvk);
}

/** Returns the path of a validating webhook: `/validate-webapp-example-com-v1-guestbook`. */
export function validatePath(gvk: GroupVersionKind): string {
  return pathOf("validate", gvk);
}

/** Says whether a custom path is one that upstream would take too. */
export function isWebhookPath(path: string): boolean {
  return PATH.test(path);
}

function pathOf(purpose: string, gvk: GroupVersionKind): string {
  return `/${purpose}-${gvk.group.replaceAll(".", "-")}-${gvk.version}-${gvk.kind.toLowerCase()}`;
}
