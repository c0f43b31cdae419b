import {
  API_SERVICES,
  type BackendClient,
  type BackendFinder,
  CRD_RESOURCE,
  namesService,
} from "@kubescaffold/apiserver/cluster-api";

import { type Controller, defineController } from "../define-controller.ts";

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
