import type { AdmissionHandler } from "./admission-handler.ts";
import type { AdmissionResponse } from "./admission-response.ts";

/** Runs mutating handlers in turn on the same object; their patches are joined, and the first refusal ends it. */
export function multiMutatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return runInTurn(handlers);
}

/** Runs validating handlers in turn; the first refusal ends it. */
export function multiValidatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return runInTurn(handlers);
}

function runInTurn(handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return async (request, context) => {
    let joined: AdmissionResponse = { allowed: true, patches: [], warnings: [], status: { code: 200 } };
    for (const handler of handlers) {
      const response = await handler(request, context);
      const warnings = [...joined.warnings, ...response.warnings];
      if (!response.allowed) return { ...response, warnings };
      joined = { ...joined, patches: [...joined.patches, ...response.patches], warnings };
    }
    return joined;
  };
}
