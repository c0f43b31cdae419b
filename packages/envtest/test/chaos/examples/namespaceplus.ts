import { Namespace, ResourceQuota } from "@kubescaffold/k8s/core/v1";

import { NamespacePlus } from "../../../../../examples/namespaceplus/api/v1/namespaceplus_types.ts";
import { NamespacePlusReconciler } from "../../../../../examples/namespaceplus/internal/controller/namespaceplus_controller.ts";
import { byName, type CreateExample, DesiredObjects, differences, mapValues } from "./example.ts";

const NAMES = ["plus-a", "plus-b", "plus-c", "plus-d"];

/** The example namespaceplus. */
export const createNamespacePlus: CreateExample = (surroundings) => {
  const { client, random } = surroundings;
  const desired = new DesiredObjects(surroundings, {
    kind: NamespacePlus,
    names: NAMES,
    create: (name) =>
      NamespacePlus.create({
        metadata: { name },
        spec: {
          labels: { team: `team-${String(Math.floor(random() * 5))}` },
          quota: { pods: String(1 + Math.floor(random() * 9)) },
        },
      }),
  });
  return {
    name: "namespaceplus",
    setup: (mgr) => new NamespacePlusReconciler(mgr.getClient()).setupWithManager(mgr),
    act: () => desired.act(),
    violations: async () => {
      const [namespaces, quotas] = await Promise.all([client.list(Namespace), client.list(ResourceQuota)]);
      const own = namespaces.items.filter(({ metadata }) => NAMES.includes(metadata.name ?? ""));
      const found = await desired.found();
      const unready = [...found.values()].filter(({ metadata, status }) => {
        const ready = status?.conditions?.find(({ type }) => type === "Ready");
        return ready?.status !== "True" || ready.observedGeneration !== metadata.generation;
      });
      return [
        ...differences("object", mapValues(found, specOf), mapValues(desired.objects, specOf)),
        ...differences(
          "Namespace",
          mapValues(byName(own), ({ metadata }) => metadata.labels?.["team"]),
          mapValues(desired.objects, ({ spec }) => spec.labels?.["team"]),
        ),
        ...differences(
          "ResourceQuota of",
          new Map(quotas.items.map(({ metadata, spec }) => [metadata.namespace ?? "", spec?.hard?.["pods"]])),
          mapValues(desired.objects, ({ spec }) => spec.quota?.["pods"]),
        ),
        ...unready.map(({ metadata }) => `${metadata.name ?? ""} is not ready`),
      ];
    },
  };
};

function specOf({ spec }: NamespacePlus): unknown {
  return [spec.labels?.["team"], spec.quota?.["pods"]];
}
