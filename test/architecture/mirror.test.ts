import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

import { importsOf, listFiles, listSources, readSource, ROOT } from "./source-files.ts";

// Sources without a test of their own name, by folder: the tests that run them, and the files without `.ts`. A folder leaves the list when its files
// get tests at the mirrored path; nothing is added to it but together with the reason in the commit.
const UNMIRRORED: Readonly<Record<string, readonly [provenBy: string, files: string]>> = {
  "packages/apiserver/src/admission/webhooks": [
    "packages/apiserver/test/admission/webhooks/",
    "admission-review webhook-configuration",
  ],
  "packages/apiserver/src/authentication": ["packages/apiserver/test/authentication/", "service-accounts"],
  "packages/apiserver/src/built-in": [
    "packages/apiserver/test/built-in/",
    "body-decoder built-in-json-schema built-in-rule-table built-in-types fields leaf-decoders required-errors",
  ],
  "packages/apiserver/src/built-in/rules": [
    "packages/apiserver/test/built-in/rules/",
    "admission-rules batch-rules config-rules coordination-rules cron-schedule namespace-rules network-rules node-rules pod-quality pod-rules pod-spec-defaults pod-spec-errors pod-template-rules rbac-rules service-addresses service-rules storage-rules workload-rules",
  ],
  "packages/apiserver/src/clock": ["packages/apiserver/test/", "clock"],
  "packages/apiserver/src/controllers": ["packages/apiserver/test/controllers/", "controller-user store-controller"],
  "packages/apiserver/src/controllers/garbage-collector": [
    "packages/apiserver/test/controllers/garbage-collector/",
    "owner-classification",
  ],
  "packages/apiserver/src/controllers/workload": [
    "packages/apiserver/test/controllers/workload/",
    "event-writer workload-objects",
  ],
  "packages/apiserver/src/custom": [
    "packages/apiserver/test/custom/",
    "coerce-metadata converted-views crd-conditions crd-object crd-rules custom-types json-path rule-errors scale-errors stored-forms",
  ],
  "packages/apiserver/src/discovery": ["packages/apiserver/test/discovery/", "api-resources legacy-discovery"],
  "packages/apiserver/src/handlers": [
    "packages/apiserver/test/handlers/",
    "admission-attributes decode-object delete-options deletion-finalizers dispatch get list-options object-metadata resource-version stored-view virtual-create watch-registry write-update",
  ],
  "packages/apiserver/src/field-management": [
    "packages/apiserver/test/handlers/",
    "apply-conflicts apply-object manager-name managers merge-options",
  ],
  "packages/apiserver/src/http": ["packages/apiserver/test/", "http-listener in-process"],
  "packages/apiserver/src/lifecycle": ["packages/apiserver/test/lifecycle/", "bootstrap"],
  "packages/apiserver/src/meta-endpoints": ["packages/apiserver/test/", "health meta-endpoints"],
  "packages/apiserver/src/negotiation": ["packages/apiserver/test/", "content-type"],
  "packages/apiserver/src/object-meta": [
    "packages/apiserver/test/",
    "dedupe-owner-references name-rules validate-object-meta",
  ],
  "packages/apiserver/src/openapi": [
    "packages/apiserver/test/openapi/",
    "build-document open-api-documents operation-paths",
  ],
  "packages/apiserver/src/output": ["packages/apiserver/test/output/", "encode-object write-response"],
  "packages/apiserver/src/patching": ["packages/apiserver/test/", "apply-patch"],
  "packages/apiserver/src/pipeline": [
    "packages/apiserver/test/",
    "admission-chain authenticate authorizer denial virtual-resources",
  ],
  "packages/apiserver/src/registry": ["packages/apiserver/test/", "registry resource-type version-order"],
  "packages/apiserver/src/request": ["packages/apiserver/test/", "apply-options decode-body json json-problem options"],
  "packages/apiserver/src/response": ["packages/apiserver/test/", "failures"],
  "packages/apiserver/src/selection": ["packages/apiserver/test/", "field-selector-name selection selector-text"],
  "packages/apiserver/src/server": [
    "packages/apiserver/test/server/",
    "audit-log create-internal-client fault-injector running-server",
  ],
  "packages/apiserver/src/storage": ["packages/apiserver/test/", "deep-clone deep-freeze table"],
  "packages/apiserver/src/table": [
    "packages/apiserver/test/",
    "api-columns built-in-columns columns core-columns custom-columns pod-status workload-columns",
  ],
  "packages/envtest/src": ["packages/envtest/test/", "probe-server wait-for-namespace"],
  "packages/envtest/src/backends": ["packages/envtest/test/", "binaries-backend embedded-backend existing-backend"],
  "packages/envtest/src/binaries": ["packages/envtest/test/binaries/", "binary-store release-index"],
  "packages/envtest/src/control-plane": [
    "packages/envtest/test/",
    "control-plane etcd kube-apiserver kube-controllers kwok-stages",
  ],
  "packages/envtest/src/conversion": ["packages/envtest/test/conversion/", "random-value"],
  "packages/envtest/src/crds": ["packages/envtest/test/", "install-crds"],
  "packages/envtest/src/manifests": ["packages/envtest/test/", "create-or-update"],
  "packages/envtest/src/operator": ["packages/runtime/test/", "development-cluster install-operator"],
  "packages/envtest/src/users": ["packages/envtest/test/", "add-service-account"],
  "packages/envtest/src/webhooks": ["packages/envtest/test/", "install-webhooks prepare-webhook-serving"],
  "packages/k8s/src": [
    "packages/runtime/test/",
    "field-error group-version kind label-requirement label-selector-parser namespaced-name plural-rules quantity-error scaffold-error selector-error",
  ],
  "packages/k8s/src/yaml": ["packages/k8s/test/yaml/", "key-order plain-scalar print-number scalar-style yaml-writer"],
  "packages/runtime/src/builder": ["packages/runtime/test/", "request-logger webhook-builder"],
  "packages/runtime/src/cache": [
    "packages/runtime/test/cache/",
    "cache-options cached-list deep-freeze handler-listener indexer kind-informers latch list-watch reflector-backoff selection status-reason transform",
  ],
  "packages/runtime/src/client": [
    "packages/runtime/test/client/",
    "cached-client call-query clientset create-client delegating-client dry-run-client dynamic-client field-clients intercepted-client namespaced-client object-caller requests resource-path strategic-merge-patch sub-resource-client watch-stream write-defaults",
  ],
  "packages/runtime/src/clock": ["packages/runtime/test/clock/", "abort fake-clock"],
  "packages/runtime/src/config": [
    "packages/runtime/test/config/",
    "in-cluster kubeconfig parse-kubeconfig read-config-file",
  ],
  "packages/runtime/src/controller": [
    "packages/runtime/test/controller/",
    "controller-names panic queue-controller reconcile-run source-start",
  ],
  "packages/runtime/src/discovery": ["packages/runtime/test/discovery/", "aggregated-discovery discovery-client"],
  "packages/runtime/src/handler": [
    "packages/runtime/test/handler/",
    "enqueue-request-for-object enqueue-request-for-owner enqueue-requests-from-map-func event-handler low-priority",
  ],
  "packages/runtime/src/http-server": ["packages/runtime/test/", "node-listener"],
  "packages/runtime/src/leader-election": ["packages/runtime/test/", "leader-election-record lease-lock"],
  "packages/runtime/src/log": ["packages/runtime/test/log/", "pino-logger recording-logger root-logger silent-logger"],
  "packages/runtime/src/manager": [
    "packages/runtime/test/manager/",
    "address cluster create-manager health-server http-server leader-campaign metrics-filter process-manager runnable-group runnable-groups self-signed-certificate",
  ],
  "packages/runtime/src/metrics": [
    "packages/runtime/test/",
    "certificate-metrics controller-metrics leader-election-metrics reflector-metrics registry rest-client-metrics webhook-metrics workqueue-metrics",
  ],
  "packages/runtime/src/reconcile": ["packages/runtime/test/", "object-reconciler reconcile"],
  "packages/runtime/src/recorder": ["packages/runtime/test/recorder/", "event-object"],
  "packages/runtime/src/rest": [
    "packages/runtime/test/rest/",
    "attempt-scope authenticator connection-error exec-credential headers outcome pool-sender rate-limiter response-error sender-pool transport-sender user-agent warnings",
  ],
  "packages/runtime/src/source": ["packages/runtime/test/", "event-channel filtered-handler kind-source source"],
  "packages/runtime/src/webhook": [
    "packages/runtime/test/",
    "certificate-watcher instrumented-handler programming-error read-limited webhook-path",
  ],
  "packages/runtime/src/webhook/admission": [
    "packages/runtime/test/webhook/admission/",
    "admission-response defaulter handler-error multi-handler validator",
  ],
  "packages/runtime/src/webhook/conversion": ["packages/runtime/test/webhook/conversion/", "conversion-registry"],
  "packages/runtime/src/workqueue": ["packages/runtime/test/workqueue/", "fifo heap item-key queue waiting-line"],
  "packages/schema/src": ["packages/schema/test/", "field-path json-schema"],
  "packages/schema/src/cel": ["packages/schema/test/cel/", "cel-type expression-tree resource-fields"],
  "packages/schema/src/cel/checker": [
    "packages/schema/test/cel/",
    "check-expression check-format-call check-literals scope type-assignment",
  ],
  "packages/schema/src/cel/cost": [
    "packages/schema/test/cel/cost/",
    "actual-call-costs actual-size call-costs cost-walk library-call-costs list-call-costs node-path operand ranges standard-call-costs",
  ],
  "packages/schema/src/cel/evaluator": [
    "packages/schema/test/cel/",
    "format-key frame go-pattern plan-call plan-expression plan-fold read-attribute",
  ],
  "packages/schema/src/cel/evaluator/operations": [
    "packages/schema/test/cel/",
    "all-operations arithmetic conversions format-text kubernetes-types lists read-float strings times",
  ],
  "packages/schema/src/cel/functions": [
    "packages/schema/test/cel/",
    "extension-libraries function-declaration standard-library",
  ],
  "packages/schema/src/cel/rules": [
    "packages/schema/test/cel/rules/",
    "check-expressions compile-rule ratchet rule-bindings rule-checks rule-finding rule-form rule-scope rule-tree run-rules unbounded-fields",
  ],
  "packages/schema/src/cel/syntax": [
    "packages/schema/test/cel/",
    "bytes-literal code-points expand-macro normalized-source syntax-error tree-builder tree-height tree-reader",
  ],
  "packages/schema/src/cel/values": [
    "packages/schema/test/cel/",
    "address cel-list cel-map cel-number cel-optional cel-quantity cel-time cel-value decimal-digits equality named-format plain-value read-time runtime-type schema-list schema-map schema-value semver unknown-value url",
  ],
  "packages/schema/src/formats": ["packages/schema/test/formats/", "checksums dates email network"],
  "packages/schema/src/object-meta": ["packages/schema/test/", "embedded-resources path-segment"],
  "packages/schema/src/patch": ["packages/schema/test/patch/", "json-patch-container"],
  "packages/schema/src/patch/strategic": [
    "packages/schema/test/patch/strategic/",
    "apply-strategic-merge-patch create-strategic-merge-patch element-order merge-lists patch-lists patch-meta",
  ],
  "packages/schema/src/structural": [
    "packages/schema/test/structural/",
    "combination-invariants default-rules keyword-rules list-rules set-values status-root structural-completeness structural-invariants",
  ],
  "packages/schema/src/validation": [
    "packages/schema/test/",
    "combinations composite-checks correlation failures list-topology scalar-checks schema-result schema-validation validation-step whole-float",
  ],
  "packages/schema/src/structured-merge": [
    "packages/schema/test/structured-merge/",
    "compare-values fields-of-value merge-shape select-fields",
  ],
  "src/go-project": [
    "test/cli/run-import-project",
    "compare-manifests go-project marker-words migration-page other-files place-markers plan-project webhook-markers",
  ],
  "src/cli": [
    "test/cli/",
    "ask ask-for-api ask-for-deletion ask-for-import ask-for-init ask-for-rename ask-for-resource ask-for-webhook boilerplate commit-files completion delete-webhook dev diagnose-project diagnose-unrecorded diagnose-yaml edit flag-values gen generate-manifests github-issue help import-project interruption manager-process npm-install plan-imported plan-move plan-removal plan-scope project-session read-go-files renamed-paths replay report-outcome report-update run-alpha-generate run-alpha-update run-create-api run-create-webhook run-delete run-dev run-doctor run-edit run-generate run-generators-command run-init run-manifests run-rename-api run-scaffolds update-repository blob-cache build-manager image open-base program-description registry-access report-image",
  ],
  "src/generators/applyconfiguration": [
    "test/generators/applyconfiguration/",
    "apply-shapes node-parts print-apply-file select-apply-types",
  ],
  "src/generators": ["test/generators/", "parse-arguments"],
  "src/generators/checks": [
    "test/generators/checks/",
    "cel-check check-names check-paths check-schemas crd-view embedded-metadata finding-places has-rules json-size largest-branches name-conflicts once proven-keywords relax rule-problems schema-findings schema-trail source-index",
  ],
  "src/generators/compat": [
    "test/generators/compat/",
    "compare-bounds compare-members compare-schemas compare-topology compare-type compare-with-former compat-codes definition effective-schema former-definitions",
  ],
  "src/generators/crd": [
    "test/generators/crd/",
    "apply-markers cel-field-name crd-object discriminated-union enum-to-schema flatten intersection-to-schema known-schemas map-to-schema object-to-schema resolve-type schema-context schema-node template-pattern truncate-description type-to-schema union-to-schema ways-out",
  ],
  "src/generators/object": ["test/generators/object/", "print-schema-file select-types"],
  "src/generators/schemapatch": [
    "test/generators/schemapatch/",
    "attach-comments print-tree read-manifests read-tree schema-tree yaml-tree",
  ],
  "src/generators/webhook": ["test/generators/webhook/", "patch-webhook webhook-object"],
  "src/image": ["test/cli/", "build-image descriptor image-layout layout-archive manifest media-type"],
  "src/image/registry": ["test/cli/", "pull-image registry-failure"],
  "src/loader": [
    "test/loader/",
    "comment-groups description find-kinds module-resolver name-resolver parse-source reach-names read-constant read-file read-type-expression type-model",
  ],
  "src/machinery": ["test/machinery/", "compile-template disk-failure journal"],
  "src/markers": ["test/", "marker-definition parse-value read-markers scan-token unquote"],
  "src/markers/definitions": ["test/markers/", "field-definitions object-definitions validation-definitions"],
  "src/plugin": ["test/", "contributions plugin plugin-key"],
  "src/plugin/external": ["test/plugin/external/", "call-plugin run-program universe"],
  "src/project": ["test/project/", "core-groups edit-document project-config validate-project"],
  "src/scaffolds": [
    "test/",
    "add-module controller-names create-api create-conversion create-webhook edit resource-values",
  ],
};

const listed = new Map<string, string>(
  Object.entries(UNMIRRORED).flatMap(([folder, [provenBy, files]]) =>
    files.split(/\s+/u).map((name) => [`${folder}/${name}.ts`, provenBy] as const),
  ),
);

describe("every source with logic", () => {
  it("has a test at the mirrored path, or stands in the list of those that have none", () => {
    const bare = listSources()
      .filter((file) => mirrorOf(file) !== undefined && !existsSync(path.join(ROOT, mirrorOf(file) ?? "")))
      .filter((file) => !isGenerated(file) && hasLogic(file));
    expect(bare.filter((file) => !listed.has(file))).toEqual([]);
    // The list only shrinks: what has a test, holds no logic or is gone leaves it.
    expect([...listed.keys()].filter((file) => !bare.includes(file))).toEqual([]);
  });

  it("that has no test of its own is run by the tests that the list names", () => {
    const tests = listFiles("").filter((file) => file.endsWith(".test.ts"));
    const reached = new Map(
      [...new Set(listed.values())].map((provenBy) => [
        provenBy,
        reachableFrom(tests.filter((test) => test.startsWith(provenBy))),
      ]),
    );
    expect([...listed].filter(([file, provenBy]) => reached.get(provenBy)?.has(file) !== true)).toEqual([]);
  });
});

// Plugins are tested as a whole in the folder beside them, and the program through its bundle.
function mirrorOf(source: string): string | undefined {
  const mirror = source
    .replace(/^src\//u, "test/")
    .replace(/^(?<owner>packages\/[^/]+)\/src\//u, "$<owner>/test/")
    .replace(/\.ts$/u, ".test.ts");
  return mirror === source.replace(/\.ts$/u, ".test.ts") ? undefined : mirror;
}

// A script writes these from the OpenAPI of Kubernetes; another test compares them with it.
function isGenerated(source: string): boolean {
  return /^packages\/k8s\/src\/(?:api|tables)\//u.test(source);
}

// Errors are names for messages, proven where they are thrown; without a function there is nothing to run.
function hasLogic(source: string): boolean {
  if (/(?:^|\/)errors\.ts$/u.test(source)) return false;
  const visit = (node: ts.Node): boolean =>
    (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) || (ts.forEachChild(node, visit) ?? false);
  return visit(ts.createSourceFile(source, readSource(source), ts.ScriptTarget.Latest));
}

function reachableFrom(tests: readonly string[]): ReadonlySet<string> {
  const seen = new Set(tests);
  for (const file of seen) for (const next of filesImportedBy(file)) seen.add(next);
  return seen;
}

function filesImportedBy(file: string): readonly string[] {
  const files = knownFiles.get(file) ?? importsOf(file).flatMap((specifier) => resolved(file, specifier));
  knownFiles.set(file, files);
  return files;
}

const knownFiles = new Map<string, readonly string[]>();

function resolved(file: string, specifier: string): readonly string[] {
  const target = specifier.startsWith(".")
    ? path.posix.join(path.posix.dirname(file), specifier)
    : sourceOfPackage(specifier);
  return target !== undefined && existsSync(path.join(ROOT, target)) ? [target] : [];
}

function sourceOfPackage(specifier: string): string | undefined {
  const [, name, below] = /^@kubescaffold\/([^/]+)(\/.*)?$/u.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "packages", name, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  const source = manifest.exports[`.${below ?? ""}`]?.["@kubescaffold/source"];
  return source === undefined ? undefined : path.posix.join("packages", name, source);
}
