import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";

import type { AdmissionAttributes, AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { limitProblems } from "./limit-problems.ts";
import { type Amounts, podAmounts } from "./pod-resources.ts";

const LIMIT_RANGES = { group: "", resource: "limitranges" } as const;

/** Adds the defaults of LimitRanges to the containers of new Pods, and refuses Pods and claims that exceed the limits. */
export function limitRanger({ objects }: Pick<ServerContext, "objects">): AdmissionPlugin {
  const rangesOf = (attributes: AdmissionAttributes): readonly LimitRange[] =>
    isLimited(attributes) ? objects.list(LIMIT_RANGES, attributes.namespace) : [];
  return {
    name: "LimitRanger",
    mutate: (attributes) => {
      if (attributes.resource.resource !== "pods") return undefined;
      const pod = attributes.object as Pod | undefined;
      const limited = rangesOf(attributes).reduce((current, range) => withDefaults(current, range), pod);
      return limited === pod ? undefined : (limited as ApiObject);
    },
    validate: (attributes) => {
      for (const range of rangesOf(attributes)) requireWithin(attributes, range);
    },
  };
}

// Resources of a Pod are fixed once it exists.
function isLimited({ operation, resource, subresource, object }: AdmissionAttributes): boolean {
  if (resource.group !== "" || subresource !== "" || object === undefined) return false;
  if (resource.resource === "pods") return operation === "CREATE";
  if (resource.resource !== "persistentvolumeclaims") return false;
  return operation === "CREATE" || (operation === "UPDATE" && object.metadata.deletionTimestamp === undefined);
}

const ANNOTATION = "kubernetes.io/limit-ranger";

function withDefaults(pod: Pod | undefined, range: LimitRange): Pod | undefined {
  if (pod?.spec === undefined) return pod;
  const { requests, limits } = defaultsOf(range);
  const notes: string[] = [];
  const complete = (container: Container, kind: string): Container => {
    const { resources = {} } = container;
    const missing = {
      request: missingIn(requests, resources.requests),
      limit: missingIn(limits, resources.limits),
    };
    for (const [part, amounts] of Object.entries(missing)) {
      const names = Object.keys(amounts).toSorted();
      if (names.length > 0) notes.push(`${names.join(", ")} ${part} for ${kind} ${container.name}`);
    }
    if (isEmpty(missing.request) && isEmpty(missing.limit)) return container;
    return {
      ...container,
      resources: {
        ...resources,
        ...(isEmpty(limits) ? {} : { limits: { ...resources.limits, ...missing.limit } }),
        ...(isEmpty(requests) ? {} : { requests: { ...resources.requests, ...missing.request } }),
      },
    };
  };
  const { containers, initContainers } = pod.spec;
  const spec = {
    ...pod.spec,
    containers: containers.map((each) => complete(each, "container")),
    ...(initContainers === undefined
      ? {}
      : { initContainers: initContainers.map((each) => complete(each, "init container")) }),
  };
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join("; ")}` };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec };
}

function isEmpty(amounts: Amounts): boolean {
  return Object.keys(amounts).length === 0;
}

function missingIn(defaults: Amounts, amounts: Amounts = {}): Amounts {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => amounts[name] === undefined));
}

function defaultsOf({ spec }: LimitRange): { readonly requests: Amounts; readonly limits: Amounts } {
  const items = (spec?.limits ?? []).filter(({ type }) => type === "Container");
  return {
    requests: Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)) as Amounts,
    limits: Object.assign({}, ...items.map((item) => item.default)) as Amounts,
  };
}

function requireWithin({ object, resource, name }: AdmissionAttributes, { spec }: LimitRange): void {
  const problemsOf =
    resource.resource === "pods" ? podProblems(object as Pod) : claimProblems(object as PersistentVolumeClaim);
  const problems = [...new Set((spec?.limits ?? []).flatMap((item) => problemsOf(item)))];
  if (problems.length === 0) return;
  const text = problems.length === 1 ? String(problems[0]) : `[${problems.join(", ")}]`;
  throw forbidden({ groupResource: resource, name: name === "" ? "Unknown" : name }, text);
}

function podProblems({ spec }: Pod): (item: LimitRangeItem) => readonly string[] {
  if (spec === undefined) return () => [];
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return (item) => {
    if (item.type === "Pod") {
      return limitProblems(item, { requests: podAmounts(spec, "requests"), limits: podAmounts(spec, "limits") });
    }
    if (item.type !== "Container") return [];
    return containers.flatMap(({ resources = {} }) =>
      limitProblems(item, { requests: resources.requests ?? {}, limits: resources.limits ?? {} }),
    );
  };
}

function claimProblems({ spec }: PersistentVolumeClaim): (item: LimitRangeItem) => readonly string[] {
  const requests = spec?.resources?.requests ?? {};
  return (item) => (item.type === "PersistentVolumeClaim" ? limitProblems(item, { requests, limits: {} }) : []);
}
