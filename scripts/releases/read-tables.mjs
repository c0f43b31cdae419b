import { prefixesOf } from "../k8s-types/print-tables.mjs";
import { readGroupVersions, readResources } from "./read-discovery.mjs";
import { readOpenApi } from "./read-open-api.mjs";

/** The group versions that the embedded server has with a feature gate and `--runtime-config` alone. */
const GATED = new Set(["admissionregistration.k8s.io/v1alpha1", "admissionregistration.k8s.io/v1beta1"]);

// A definition with a list of texts, whose schema shows whether elements have a default.
const WITH_TEXTS = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

const KINDS = "x-kubernetes-group-version-kind";

/**
 * Reads the tables of one version from the sources of Kubernetes: the OpenAPI documents of the stable group versions and of those with a gate, all definitions in
 * them, the resources, and the groups in the order of discovery.
 */
export function readTables(sources) {
  const isGated = ({ group, version }) => GATED.has(`${group}/${version}`);
  const all = readOpenApi(sources);
  const documents = all.filter((each) => isStable(each) || isGated(each));
  const resourcesOf = (served) => served.flatMap((each) => readResources(sources, each));
  const definitions = mapValues(Object.assign({}, ...documents.map(({ schemas }) => schemas)), (schema, name) =>
    withKindsOf(
      schema,
      all.flatMap(({ schemas }) => schemas[name]?.[KINDS] ?? []),
    ),
  );
  return {
    documents,
    definitions,
    hasElementDefaults: "default" in definitions[WITH_TEXTS].properties.finalizers.items,
    prefixes: prefixesOf(documents),
    resources: resourcesOf(documents.filter(isStable)),
    gatedResources: resourcesOf(documents.filter(isGated)),
    groups: [
      ...new Set(
        readGroupVersions(sources)
          .filter(isStable)
          .map(({ group }) => group),
      ),
    ],
  };
}

// Since 1.36, a document has of shared kinds, such as DeleteOptions, only those of its own group version.
function withKindsOf(schema, kinds) {
  const unique = new Map(kinds.map((each) => [JSON.stringify(each), each]));
  return KINDS in schema && unique.size > schema[KINDS].length ? { ...schema, [KINDS]: [...unique.values()] } : schema;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

// A server serves these by default.
function isStable({ version }) {
  return /^v\d+$/u.test(version);
}
