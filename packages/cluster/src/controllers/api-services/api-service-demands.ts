import { API_SERVICES, CRD_RESOURCE, namesService } from "@kubescaffold/apiserver/cluster-api";

import type { Demand } from "../on-demand-controller.ts";

/** Definitions need APIServices. */
export const DEFINITIONS_EXIST: Demand = { resources: [CRD_RESOURCE] };

/** APIServices of other servers need checks. */
export const OTHER_SERVERS_EXIST: Demand = {
  resources: [API_SERVICES],
  isNeededBy: namesService,
};
