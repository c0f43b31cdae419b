import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";

import type { Logger } from "../../log/logger.ts";
import type { AdmissionResponse } from "./admission-response.ts";

/** What a handler is given beside the request. */
export interface AdmissionContext {
  readonly request: AdmissionRequest;
  readonly log: Logger;
  /** Aborts when the API server gives the call up or the webhook server stops. */
  readonly signal: AbortSignal;
}

/** Decides on one admission request. */
export type AdmissionHandler = (request: AdmissionRequest, context: AdmissionContext) => Promise<AdmissionResponse>;
