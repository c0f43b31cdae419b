import { isMap, type Json, type JsonMap, type Manifest, textAt } from "kubescaffold/plugin";

import type { ChartFacts } from "./facts.ts";
import type { Names } from "./names.ts";
import { entry, type Entry, expression, indented, item, list, mapping, type Node, plain } from "./node.ts";

/** Returns the replacement of an entry of a manifest, or nothing where it is converted as all are. `path` has `*` for every item of a list. */
export type Rule = (path: string, key: string, value: Json) => readonly Entry[] | undefined;

/** What a conversion needs to know. */
export interface Conversion {
  readonly facts: ChartFacts;
  readonly names: Names;
  /** Rules of the object's kind; the first that has something to say counts. */
  readonly rules: readonly Rule[];
}

const APP_NAME = "app.kubernetes.io/name";
const INSTANCE = "app.kubernetes.io/instance";
const MANAGED_BY = "app.kubernetes.io/managed-by";
const CHART = "helm.sh/chart";

/** Converts a manifest to a template: names, namespaces and labels are those of the release. */
export function convertManifest(manifest: Manifest, conversion: Conversion): Node {
  return mapping(...entriesOf(manifest, "", conversion));
}

/** Converts a value at a path. */
export function convert(
  value: Json,
  at: { readonly path: string; readonly key: string },
  conversion: Conversion,
): Node {
  const { path, key } = at;
  if (Array.isArray(value))
    return list(...value.map((each) => item(convert(each, { path: `${path}/*`, key }, conversion))));
  if (isMap(value)) return mapping(...entriesOf(value, path, conversion));
  const rewritten = typeof value === "string" ? conversion.names.rewrite(key, value) : undefined;
  return rewritten === undefined ? plain(value) : expression(rewritten);
}

/** Converts the entries of a mapping at a path. */
export function entriesOf(map: JsonMap, path: string, conversion: Conversion): readonly Entry[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const below = path === "" ? key : `${path}/${key}`;
    for (const rule of [...conversion.rules, labelRule(conversion)]) {
      const replaced = rule(below, key, value);
      if (replaced !== undefined) return replaced;
    }
    return [entry(key, convert(value, { path: below, key }, conversion))];
  });
}

function labelRule(conversion: Conversion): Rule {
  return (path, key, value) => {
    if (!isMap(value)) return undefined;
    if (key === "labels" && path.endsWith("metadata/labels")) return [entry(key, labels(value, conversion))];
    const isSelector = key === "matchLabels" || path === "spec/selector";
    return isSelector && isOurs(value, conversion) ? [entry(key, selector(value, conversion))] : undefined;
  };
}

function isOurs(labelled: JsonMap, { facts: { bundle } }: Conversion): boolean {
  return bundle.appName !== "" && labelled[APP_NAME] === bundle.appName;
}

/** Converts labels: those of the release stand for kustomize's. `values` names values that add to them. */
export function labels(given: JsonMap, conversion: Conversion, values?: string): Node {
  const { names } = conversion;
  const own: Expressions = isOurs(given, conversion)
    ? {
        ...releaseLabels(names),
        [MANAGED_BY]: "{{ .Release.Service }}",
        [CHART]: '{{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}',
      }
    : {};
  const keys = Object.keys({ ...own, ...given });
  return mapping(...replacing(given, own), ...(values === undefined ? [] : [added(values, keys)]));
}

/** Lines that add entries of values to a mapping, but for those it has. */
export function added(values: string, keys: readonly string[]): Entry {
  const omitted = keys.map((key) => ` "${key}"`).join("");
  return indented((indent) => [
    `{{- with omit (${values} | default dict)${omitted} }}`,
    `{{- toYaml . | nindent ${indent} }}`,
    "{{- end }}",
  ]);
}

// Two releases in one namespace select their own Pods.
function selector(given: JsonMap, { names }: Conversion): Node {
  return mapping(...replacing(given, releaseLabels(names)));
}

type Expressions = Readonly<Record<string, string>>;

function releaseLabels({ app }: Names): Expressions {
  return { [APP_NAME]: app, [INSTANCE]: "{{ .Release.Name | quote }}" };
}

// What is computed comes first, and stands for what the manifest has under the same keys.
function replacing(given: JsonMap, computed: Expressions): readonly Entry[] {
  const kept = Object.entries(given).filter(([key]) => !(key in computed));
  return [
    ...Object.entries(computed).map(([key, text]) => entry(key, expression(text))),
    ...kept.map(([key, value]) => entry(key, plain(value))),
  ];
}

/** Reports whether a name ends so. */
export function endsWith(manifest: Manifest, ...ends: readonly string[]): boolean {
  return ends.some((each) => textAt(manifest, "metadata", "name").endsWith(each));
}
