import { type Controller, defineController } from "../../controllers/define-controller.ts";
import { CRD_RESOURCE } from "../../resources/custom/crd-object.ts";
import { API_SERVICES, namesService } from "../api-services.ts";
import type { BackendClient } from "../backend-client.ts";
import type { BackendFinder } from "../routes.ts";

/** What reaches the servers behind APIServices. */
export interface BackendParts {
  readonly backends: { readonly client: BackendClient; readonly find: BackendFinder };
}

/** The controllers of APIServices, which are a part of kube-apiserver. */
export const API_SERVICE_CONTROLLERS: readonly Controller<BackendParts>[] = [
  defineController({
    name: "custom-api-services",
    demand: { resources: [CRD_RESOURCE] },
    load: () => import("./custom-api-services.ts"),
  }),
  defineController({
    name: "api-service-availability",
    demand: { resources: [API_SERVICES], isNeededBy: namesService },
    load: () => import("./api-service-availability.ts"),
  }),
];
