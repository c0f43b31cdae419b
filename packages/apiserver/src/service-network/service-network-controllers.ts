import { type Controller, defineController } from "../controllers/define-controller.ts";
import { ADMIN } from "../request/request-context.ts";
import { SERVICES } from "./address-resources.ts";

/** Keeps an IPAddress for each address of a Service, as kube-apiserver does. */
export const SERVICE_ADDRESSES: Controller = defineController({
  name: "service-addresses",
  user: ADMIN,
  // The address of the Service `kubernetes` exists from the start.
  demand: {
    resources: [SERVICES],
    isNeededBy: ({ metadata }) => metadata.name !== "kubernetes" || metadata.namespace !== "default",
  },
  load: () => import("./service-addresses.ts"),
});
