import { describe, expect, it } from "vitest";

import { recursiveCallsOf, recursiveFunctionsOf } from "./recursive-functions.ts";
import { isGenerated, listSources } from "./source-files.ts";

const COUNTED = "counts levels, and stops calling itself";
const DEEP = "calls itself through runDeep, which counts levels";
const SCHEMA = "is as deep as the schema, a path, or a configuration that the developer wrote";
const DEFINITION = "walks a definition, which may have 1,000 levels";
const TYPED = "is as deep as a built-in type, whose unknown fields were dropped";
const NONE = "does not walk a value: a method has the name of a function, or a function calls itself once";

/** The files with functions that walk values and call themselves, and why API servers' 10,000 levels do not end more than one request. */
const REVIEWED: Readonly<Record<string, string>> = {
  "packages/apiserver/src/cbor/encode-cbor.ts": COUNTED,
  "packages/apiserver/src/handlers/field-management/merged-type.ts": SCHEMA,
  "packages/apiserver/src/openapi/swagger-document.ts": DEFINITION,
  "packages/apiserver/src/protobuf/read-message.ts": COUNTED,
  "packages/apiserver/src/protobuf/write-message.ts": DEFINITION,
  "packages/apiserver/src/resources/built-in/rules/autoscaling/metric-annotations.ts": TYPED,
  "packages/apiserver/src/resources/built-in/rules/storage/volume-errors.ts": TYPED,
  "packages/apiserver/src/resources/custom/checked-metadata.ts": TYPED,
  "packages/apiserver/src/server/seed-objects.ts": NONE,
  "packages/apiserver/src/server/writes/write-content.ts": COUNTED,
  "packages/apiserver/src/storage/store.ts": COUNTED,
  "packages/cluster/src/controllers/workload/revisions.ts": TYPED,
  "packages/cluster/src/controllers/workload/template-hash/template-text.ts": TYPED,
  "packages/envtest/src/oracles/comparable-object.ts": COUNTED,
  "packages/envtest/src/oracles/compare-states.ts": COUNTED,
  "packages/envtest/src/oracles/kept-fields.ts": COUNTED,
  "packages/envtest/src/verify/field-changes.ts": COUNTED,
  "packages/envtest/src/verify/sample-objects.ts": SCHEMA,
  "packages/k8s/src/json/json-depth.ts": COUNTED,
  "packages/k8s/src/json/json-value.ts": COUNTED,
  "packages/k8s/src/nested-field.ts": SCHEMA,
  "packages/k8s/src/yaml/print-yaml.ts": COUNTED,
  "packages/k8s/src/yaml/read-yaml.ts": COUNTED,
  "packages/runtime/src/config/kubeconfig-fields.ts": SCHEMA,
  "packages/runtime/src/controller/reconcile-report.ts": NONE,
  "packages/runtime/src/json-path/json-path.ts": SCHEMA,
  "packages/runtime/src/log/logger.ts": NONE,
  "packages/runtime/src/rest/rest-client.ts": NONE,
  "packages/runtime/src/webhook/conversion/conversion-changes.ts": COUNTED,
  "packages/runtime/src/webhook/conversion/merge-values.ts": COUNTED,
  "packages/runtime/src/workqueue/item-key.ts": COUNTED,
  "packages/schema/src/cel/values/schema-value.ts": SCHEMA,
  "packages/schema/src/json/deep-equal.ts": COUNTED,
  "packages/schema/src/object-meta/embedded-resources.ts": SCHEMA,
  "packages/schema/src/object-meta/object-meta-shape.ts": SCHEMA,
  "packages/schema/src/structured-merge/typed-error.ts": COUNTED,
  "packages/schema/src/validation/correlation.ts": SCHEMA,
  "packages/schema/src/validation/list-topology.ts": SCHEMA,
  "packages/schema/src/validation/schema-validation.ts": DEEP,
};

/** The files that call native functions that fail for some thousand levels. */
const REVIEWED_CALLS: Readonly<Record<string, readonly string[]>> = {
  // Dates, maps, and binary values.
  "packages/k8s/src/json/json-value.ts": ["structuredClone"],
  // The facts of a resource.
  "packages/runtime/src/discovery/composed-rest-mappers.ts": ["JSON.stringify"],
};

const SOURCES = listSources().filter(
  (file) =>
    /^packages\/(?:apiserver|cluster|dashboard|envtest|k8s|platform|runtime|schema)\/src\//u.test(file) &&
    !isGenerated(file),
);

describe("functions that walk the values of a cluster", () => {
  // Use a list of what is left to do, as `redactSecrets` does, or `unfold`; or add the file with its reason.
  it("call themselves only in the reviewed files", () => {
    const found = SOURCES.filter((file) => recursiveFunctionsOf(file).length > 0);
    expect(found).toEqual(Object.keys(REVIEWED));
  });

  // Use deepClone, parseLosslessJson, and printLosslessJson.
  it("copy, parse, and print with native functions without limits of levels", () => {
    const found = SOURCES.map((file) => [file, recursiveCallsOf(file)] as const).filter(
      ([, calls]) => calls.length > 0,
    );
    expect(Object.fromEntries(found)).toEqual(REVIEWED_CALLS);
  });
});
