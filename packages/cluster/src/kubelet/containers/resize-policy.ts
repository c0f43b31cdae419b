import { compareQuantities } from "@kubescaffold/k8s";
import type { Container } from "@kubescaffold/k8s/core/v1";

/** Reports whether a container must restart to have other resources; one without a policy for a resource need not. */
export function isRestartedByResize(before: Pick<Container, "resources">, after: Container): boolean {
  return (after.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === "RestartContainer" &&
      (["requests", "limits"] as const).some(
        (list) =>
          compareQuantities(
            before.resources?.[list]?.[resourceName] ?? 0,
            after.resources?.[list]?.[resourceName] ?? 0,
          ) !== 0,
      ),
  );
}
