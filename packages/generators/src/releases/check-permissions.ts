import type { BuiltInApi } from "@kubescaffold/k8s/schemas";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";
import { type Use, warningOf } from "./lacking.ts";

/** Finds resources and verbs of the built-in API that markers of permissions and webhooks name and one of the APIs lacks. */
export function checkPermissions({ packages }: MarkedModel, apis: readonly BuiltInApi[]): readonly Diagnostic[] {
  return [...packages.values()].flat().flatMap((marker) => {
    if (marker.name === "kubebuilder:rbac") return checkRule(marker, apis);
    return marker.name === "kubebuilder:webhook" ? checkWebhook(marker, apis) : [];
  });
}

function checkRule({ value, location }: MarkerUse, apis: readonly BuiltInApi[]): readonly Diagnostic[] {
  return resourcesIn(value).flatMap((resource) => {
    const verbsOf = apis.map((api) => verbsIn(api, resource));
    const lacking = check(
      { code: "KUBERNETES_LACKS_RESOURCE", what: `resource ${shown(resource)}`, location },
      apis,
      verbsOf.map((verbs) => verbs !== undefined),
    );
    const verbs = textsOf(value, "verbs").flatMap((verb) =>
      check(
        { code: "KUBERNETES_LACKS_VERB", what: `verb ${verb} for ${shown(resource)}`, location },
        apis,
        verbsOf.map((each) => each?.has(verb)),
      ),
    );
    return [...lacking, ...verbs];
  });
}

function checkWebhook({ value, location }: MarkerUse, apis: readonly BuiltInApi[]): readonly Diagnostic[] {
  return resourcesIn(value).flatMap((resource) =>
    textsOf(value, "versions").flatMap((version) =>
      check(
        { code: "KUBERNETES_LACKS_RESOURCE", what: `resource ${shown(resource)} in version ${version}`, location },
        apis,
        apis.map((api) => verbsIn(api, { ...resource, version }) !== undefined),
      ),
    ),
  );
}

function check(
  use: Use,
  apis: readonly BuiltInApi[],
  presence: readonly (boolean | undefined)[],
): readonly Diagnostic[] {
  const warning = warningOf(
    use,
    apis.map(({ minor }, index) => [minor, presence[index]] as const),
  );
  return warning === undefined ? [] : [warning];
}

interface ResourceName {
  readonly group: string;
  /** The plural, with a subresource as `pods/log`. */
  readonly resource: string;
  /** One version; any if it is omitted. */
  readonly version?: string;
}

/** Returns the verbs of a resource or subresource in any version, or in one; undefined if the API does not serve it. */
function verbsIn(
  { resources }: BuiltInApi,
  { group, resource, version }: ResourceName,
): ReadonlySet<string> | undefined {
  const [plural = "", subresource] = resource.split("/");
  const served = resources
    .filter((row) => row.group === group && row.plural === plural && (version ?? row.version) === row.version)
    .flatMap((row): readonly (readonly string[])[] =>
      subresource === undefined
        ? [row.verbs]
        : row.subresources.filter(({ name }) => name === subresource).map(({ verbs }) => verbs),
    );
  return served.length === 0 ? undefined : new Set(served.flat());
}

function resourcesIn(value: MarkerValue): readonly ResourceName[] {
  const resources = textsOf(value, "resources");
  return textsOf(value, "groups").flatMap((given) => {
    const group = given === "core" ? "" : given;
    return resources.map((resource) => ({ group, resource }));
  });
}

function shown({ group, resource }: ResourceName): string {
  return `${resource} in ${group === "" ? "the core group" : group}`;
}

function textsOf(value: MarkerValue, name: string): readonly string[] {
  const texts = (value as Readonly<Record<string, MarkerValue>>)[name];
  return Array.isArray(texts) ? texts.map(String) : [];
}
