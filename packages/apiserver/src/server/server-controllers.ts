import { API_SERVICE_CONTROLLERS, type BackendParts } from "../aggregation/controllers/api-service-controllers.ts";
import { AUTHENTICATION_TRUST, type TrustParts } from "../authentication/authentication-trust.ts";
import type { Controller } from "../controllers/define-controller.ts";
import { FLOW_SCHEMA_STATUS } from "../flow-control/flow-schema-controllers.ts";
import { type AdvertisedParts, SERVER_ENDPOINTS } from "../service-network/server-endpoints.ts";
import { SERVICE_ADDRESSES } from "../service-network/service-network-controllers.ts";

/** What the controllers of kube-apiserver need. */
export interface ServerControllerParts extends AdvertisedParts, BackendParts, TrustParts {}

/** The controllers that are parts of kube-apiserver, in the order of their start. */
export const SERVER_CONTROLLERS: readonly Controller<ServerControllerParts>[] = [
  SERVICE_ADDRESSES,
  ...API_SERVICE_CONTROLLERS,
  FLOW_SCHEMA_STATUS,
  SERVER_ENDPOINTS,
  AUTHENTICATION_TRUST,
];
