import type { Container, LimitRange, PersistentVolumeClaim, Pod, PodSpec } from "@kubescaffold/k8s/core/v1";

import type { AdmissionAttributes, AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { forbidden } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { LARGEST_OBJECT_BYTES, tooLargeToStore } from "../../storage/store.ts";
import { limitProblems, type Usage } from "./limit-problems.ts";
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
      const ranges = rangesOf(attributes);
      if (ranges.length === 0) return;
      const usages = usagesOf(attributes);
      for (const range of ranges) requireWithin(attributes, range, usages);
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

// As JSON, an amount has a name and a value in quotes, a colon, and a comma.
const MOST_AMOUNTS = LARGEST_OBJECT_BYTES / 8;

function withDefaults(pod: Pod | undefined, range: LimitRange): Pod | undefined {
  if (pod?.spec === undefined) return pod;
  const { requests, limits } = defaultsOf(range);
  const notes: string[] = [];
  let added = 0;
  const complete = (container: Container, kind: string): Container => {
    const { resources = {} } = container;
    const missing = {
      request: missingIn(requests, resources.requests),
      limit: missingIn(limits, resources.limits),
    };
    for (const [part, amounts] of Object.entries(missing)) {
      const names = Object.keys(amounts).toSorted();
      if (names.length > 0) notes.push(`${names.join(", ")} ${part} for ${kind} ${container.name}`);
      added += names.length;
      // Defaults are multiplied by containers.
      if (added > MOST_AMOUNTS) throw tooLargeToStore();
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
  // Admission sees Pods that are not validated yet.
  const { containers, initContainers }: Partial<PodSpec> = pod.spec;
  const spec = {
    ...pod.spec,
    containers: (containers ?? []).map((each) => complete(each, "container")),
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

type UsagesOf = (type: string) => readonly Usage[];

function usagesOf({ resource, object }: AdmissionAttributes): UsagesOf {
  if (resource.resource === "pods") return usagesOfPod(object as Pod);
  const { spec } = object as PersistentVolumeClaim;
  const usage = { requests: spec?.resources?.requests ?? {}, limits: {} };
  return (type) => (type === "PersistentVolumeClaim" ? [usage] : []);
}

function usagesOfPod({ spec }: Pod): UsagesOf {
  if (spec === undefined) return () => [];
  const containers = [...spec.containers, ...(spec.initContainers ?? [])].map(({ resources = {} }) => ({
    requests: resources.requests ?? {},
    limits: resources.limits ?? {},
  }));
  let ofPod: Usage | undefined;
  return (type) => {
    if (type === "Container") return containers;
    if (type !== "Pod") return [];
    ofPod ??= { requests: podAmounts(spec, "requests"), limits: podAmounts(spec, "limits") };
    return [ofPod];
  };
}

function requireWithin({ resource, name }: AdmissionAttributes, { spec }: LimitRange, usages: UsagesOf): void {
  const problems = [...new Set((spec?.limits ?? []).flatMap((item) => limitProblems(item, usages(item.type))))];
  if (problems.length === 0) return;
  const text = problems.length === 1 ? String(problems[0]) : `[${problems.join(", ")}]`;
  throw forbidden({ groupResource: resource, name: name === "" ? "Unknown" : name }, text);
}
