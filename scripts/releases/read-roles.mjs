import { readFileSync } from "node:fs";
import path from "node:path";

import { parse } from "yaml";

const FOLDER = path.join("plugin", "pkg", "auth", "authorizer", "rbac", "bootstrappolicy", "testdata");
const AGGREGATION = "rbac.authorization.k8s.io/aggregate-to-";
const CONTROLLER = "system:controller:";

/**
 * Reads the roles and bindings that kube-apiserver creates with the default feature gates, as the lines of the tables in packages/apiserver/src/authorization:
 * cluster roles first. Bindings of controllers follow from their names and are absent.
 */
export function readRoles(sources) {
  const itemsOf = (file) => parse(readFileSync(path.join(sources, FOLDER, `${file}.yaml`), "utf8")).items;
  const clusterRoles = [...itemsOf("cluster-roles"), ...itemsOf("controller-roles")].toSorted(byName);
  const bindings = [...itemsOf("cluster-role-bindings"), ...itemsOf("controller-role-bindings")].toSorted(byName);
  return {
    roles: [...clusterRoles, ...itemsOf("namespace-roles")].map(roleLine),
    bindings: [...bindings.filter(isPlain), ...itemsOf("namespace-role-bindings")].map(bindingLine),
  };
}

function byName(a, b) {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

function isPlain({ metadata: { name } }) {
  return !name.startsWith(CONTROLLER);
}

function roleLine({ metadata, aggregationRule, rules }) {
  const labels = Object.keys(metadata.labels)
    .filter((label) => label.startsWith(AGGREGATION))
    .map((label) => label.slice(AGGREGATION.length));
  const [selected] = Object.keys(aggregationRule?.clusterRoleSelectors[0].matchLabels ?? {});
  const text =
    selected === undefined ? (rules ?? []).map(ruleText).join("; ") : `=${selected.slice(AGGREGATION.length)}`;
  return [placeOf(metadata), labels.join(","), text].join("|");
}

function ruleText({ verbs, apiGroups = [], resources, resourceNames, nonResourceURLs }) {
  if (nonResourceURLs !== undefined) return `${verbs.join(",")} ${nonResourceURLs.join(",")}`;
  const groups = apiGroups.map((group) => (group === "" ? "-" : group));
  return [verbs, groups, resources, ...(resourceNames === undefined ? [] : [resourceNames])]
    .map((values) => values.join(","))
    .join(" ");
}

function bindingLine({ metadata, roleRef, subjects }) {
  const role = roleRef.name === metadata.name ? "" : roleRef.name;
  return [placeOf(metadata), role, (subjects ?? []).map(subjectText).join(", ")].join("|");
}

function subjectText({ kind, name, namespace }) {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function placeOf({ namespace, name }) {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
