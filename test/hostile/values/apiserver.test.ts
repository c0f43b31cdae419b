import { sendHostileValues } from "./send-hostile-values.ts";

const TYPED = "reads the decoded fields of a built-in kind, in which no values of any type are left";
const METADATA = "reads the decoded metadata of an object";
const SERVED = "calls the strategy of a kind; nesting.test.ts has it";

const TYPE = { group: "example.com", version: "v1", kind: "Sample", resource: "samples", subresourceTypes: [] };

sendHostileValues("packages/apiserver/src", {
  calls: {
    "controllers/store-controller.ts targetOf": ({ object }) => [
      { group: "", version: "v1", resource: "a" },
      object,
      "resource",
    ],
    "handlers/field-management/merged-type.ts untypedProblem": ({ object }) => [
      { ...TYPE, schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      object,
    ],
    "handlers/write-request.ts asApiObject": ({ object }) => [TYPE, object],
    "resources/undecodable-objects.ts listFailure": ({ value }) => [TYPE, value],
    "resources/custom/converted-metadata.ts convertedMetadata": ({ object, value }) => [object["metadata"], value, "a"],
    "resources/fields.ts setEmpty": ({ object }) => [object, { a: "" }],
  },
  others: {
    "admission/webhooks/patched-type.ts withType": "compares kinds and versions",
    "authorization/rbac-authorizer.ts roleOf": TYPED,
    "cbor/tagged-time.ts taggedTime": "takes a number or a text",
    "handlers/field-management/track-write.ts keepReadableOwners": METADATA,
    "handlers/scale-errors.ts scaleErrors": TYPED,
    "handlers/write-request.ts storedView": SERVED,
    "handlers/write-request.ts wholeView": SERVED,
    "handlers/write-update.ts isRemoval": METADATA,
    "http/in-process.ts decodeHeader": "takes a text",
    "http/webhook-review.ts checkStruct": "walks an answer by a table of fields, which has few levels",
    "output/write-response.ts documentAnswer": "prints a document of the server itself",
    "protobuf/write-message.ts writeMessage": "walks a decoded object by the types of its fields",
    "resources/built-in/rules/admission/match-condition-rules.ts matchConditionErrors": TYPED,
    "resources/built-in/rules/admission/policy-part-checks.ts variableErrors": TYPED,
    "resources/built-in/rules/autoscaling/metric-annotations.ts printMetrics": TYPED,
    "resources/built-in/rules/containers/container-amounts.ts amountsOf": TYPED,
    "resources/built-in/rules/containers/container-amounts.ts totalOf": TYPED,
    "resources/built-in/rules/core/event-errors.ts coreEventErrors": TYPED,
    "resources/built-in/rules/core/node-ports.ts allocateHealthPort": TYPED,
    "resources/built-in/rules/core/node-ports.ts allocateNodePorts": TYPED,
    "resources/built-in/rules/core/service-addresses.ts settleFamilies": TYPED,
    "resources/built-in/rules/core/service-allocation.ts allocateAddresses": TYPED,
    "resources/built-in/rules/devices/request-range-errors.ts requestRangeErrors": TYPED,
    "resources/built-in/rules/devices/slice-device-errors.ts sliceDeviceErrors": TYPED,
    "resources/built-in/rules/pod/credential-projection-errors.ts podCertificateErrors": TYPED,
    "resources/built-in/rules/pod/credential-projection-errors.ts trustBundleErrors": TYPED,
    "resources/built-in/rules/pod/environment-errors.ts resourceReferenceErrors": TYPED,
    "resources/built-in/rules/pod/mount-errors.ts mountErrors": TYPED,
    "resources/built-in/rules/pod/pod-resize.ts resizeErrors": TYPED,
    "resources/built-in/rules/pod/probe-errors.ts lifecycleErrors": TYPED,
    "resources/built-in/rules/pod/security-errors.ts containerSecurityErrors": TYPED,
    "resources/built-in/rules/pod/volume-errors.ts checkVolumes": TYPED,
    "resources/built-in/rules/storage/volume-errors.ts volumeSpecErrors": TYPED,
    "resources/built-in/rules/warnings/node-label-warnings.ts nodeTermWarnings": TYPED,
    "resources/built-in/rules/warnings/volume-warnings.ts sourceWarnings": TYPED,
    "resources/object-meta.ts dedupeOwnerReferences": METADATA,
    "resources/object-meta.ts matchNamespace": METADATA,
    "resources/object-meta.ts objectMetaErrors": METADATA,
    "resources/object-meta.ts objectMetaUpdateErrors": METADATA,
    "server/seed-objects.ts seedObjects": "decodes objects as creates do; seeds.test.ts has it",
  },
});
