import { writeQuery } from "./call-query.ts";
import type { SubResourceClient } from "./client.ts";
import type { ObjectCaller } from "./object-caller.ts";
import { applyRequest, patchRequest, signalOf } from "./requests.ts";

/** Creates the client of one subresource of all kinds. */
export function createSubResourceClient(caller: ObjectCaller, subresource: string): SubResourceClient {
  return {
    get: (object, options = {}) =>
      caller.callObject(`get the ${subresource} of`, object, {
        method: "GET",
        subresource,
        query: { resourceVersion: options.resourceVersion },
        ...signalOf(options),
      }),
    create: (object, body, options = {}) =>
      caller.callObject(`create the ${subresource} of`, object, {
        method: "POST",
        subresource,
        query: writeQuery(options),
        body,
        ...signalOf(options),
      }),
    update: (object, options = {}) =>
      caller.callObject(`update the ${subresource} of`, object, {
        method: "PUT",
        subresource,
        query: writeQuery(options),
        body: options.body ?? object,
        ...signalOf(options),
      }),
    patch: (object, patch, options = {}) =>
      caller.callObject(`patch the ${subresource} of`, object, {
        ...patchRequest(object, patch, options),
        subresource,
      }),
    apply: async (configuration, options = {}) =>
      caller.callObject(`apply the ${subresource} of`, configuration, {
        ...applyRequest(configuration, options),
        subresource,
      }),
  };
}
