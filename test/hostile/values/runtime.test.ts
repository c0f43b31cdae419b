import { sendHostileValues } from "./send-hostile-values.ts";

const GVK = { group: "example.com", version: "v1", kind: "Sample" };
const CALL = { method: "GET", path: "/api/v1/samples/a" };
const CLIENT = "sends the object to a server; large-objects.test.ts of the runtime has it";
const SPAN = "takes a thrown error";

sendHostileValues("packages/runtime/src", {
  calls: {
    "client/checked-answers.ts requireItem": ({ value }) => [CALL, value],
    "client/partial-object.ts partialObject": ({ object }) => [object, GVK],
    "client/patch.ts raw": ({ value }) => ["application/merge-patch+json", value],
    "client/requests.ts applyRequest": ({ object }) => [object, { fieldOwner: "a" }],
    "client/watch-stream.ts withKind": ({ object }) => [object, GVK],
    "controllerutil/controllerutil.ts removeControllerReference": ({ object }) => [object, { ...object }],
    "controllerutil/controllerutil.ts removeOwnerReference": ({ object }) => [object, { ...object }],
    "controllerutil/controllerutil.ts setControllerReference": ({ object }) => [object, { ...object }],
    "controllerutil/controllerutil.ts setOwnerReference": ({ object }) => [object, { ...object }],
    "client/semantic.ts differingFields": ({ object }) => [object, { ...object, spec: 1 }, { most: 10 }],
  },
  others: {
    "config/kubeconfig-fields.ts withTypedFields": "walks a kubeconfig by the types of its fields",
    "controllerutil/controllerutil.ts createOrPatch": CLIENT,
    "controllerutil/controllerutil.ts createOrUpdate": CLIENT,
    "manager/cluster.ts checkWrites": "wraps a client",
    "webhook/conversion/conversion-changes.ts restoreChanges": "walks 100 levels at most",
    "webhook/conversion/merge-values.ts mergeValues": "walks 100 levels at most",
    "tracing/request-spans.ts endWithoutResponse": SPAN,
    "tracing/spans.ts endWithError": SPAN,
  },
});
