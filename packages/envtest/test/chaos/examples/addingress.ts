import { Service } from "@kubescaffold/k8s/core/v1";
import { Ingress } from "@kubescaffold/k8s/networking/v1";

import { ServiceReconciler } from "../../../../../examples/addingress/internal/controller/service_controller.ts";
import { HOST_ANNOTATION, hostOf } from "../../../../../examples/addingress/internal/controller/service_ingress.ts";
import { byName, type CreateExample, DesiredObjects, differences, mapValues, NAMESPACE } from "./example.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

/** The example addingress. */
export const createAddIngress: CreateExample = (surroundings) => {
  const { client, random } = surroundings;
  const desired = new DesiredObjects(surroundings, {
    kind: Service,
    names: NAMES,
    create: (name) => {
      const host = `${String(Math.floor(random() * 9))}.example.com`;
      const annotations: Record<string, string> = random() < 0.7 ? { [HOST_ANNOTATION]: host } : {};
      return Service.create({ metadata: { namespace: NAMESPACE, name, annotations }, spec: { ports: [{ port: 80 }] } });
    },
  });
  return {
    name: "addingress",
    setup: (mgr) => new ServiceReconciler(mgr.getClient()).setupWithManager(mgr),
    act: () => desired.act(),
    violations: async () => {
      const { items } = await client.list(Ingress, { namespace: NAMESPACE });
      const exposed = new Map([...desired.objects].filter(([, service]) => hostOf(service) !== undefined));
      return differences(
        "Ingress",
        mapValues(byName(items), ({ spec }) => spec?.rules?.map(({ host }) => host)),
        mapValues(exposed, (service) => [hostOf(service)]),
      );
    },
  };
};
