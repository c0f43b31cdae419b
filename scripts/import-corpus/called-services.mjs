// Finds what a webhook calls: the Service in the manifests, and the Pods of the Deployments that it selects.

const DEFAULT_PORT = 443;

/**
 * Returns what a webhook calls without the names of objects, and beside it the name of the Service and the port on which its Pods listen.
 *
 * Manifests may have no Service, where they are only those of generators.
 */
export function describeCall({ service, url }, objects) {
  if (service === undefined) return { calls: { url }, service: undefined, listens: undefined };
  const { name, namespace, path, port = DEFAULT_PORT } = service;
  const { reaches, listens } = followService({ name, namespace, port }, objects);
  return { calls: { path, port, reaches }, service: `Service ${namespace}/${name}`, listens };
}

function followService({ name, namespace, port }, objects) {
  const services = objects.filter(({ kind }) => kind === "Service");
  if (services.length === 0) return { reaches: "a Service that the manifests do not have" };
  const service = services.find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? "default") === namespace,
  );
  if (service === undefined) return { reaches: "no Service" };
  const entry = (service.spec.ports ?? []).find((each) => each.port === port);
  if (entry === undefined) return { reaches: "a Service without this port" };
  const pods = podsOf(service, objects);
  if (pods.length === 0) return { reaches: "a Service without Pods" };
  const target = entry.targetPort ?? port;
  if (typeof target === "number") return { reaches: "the Pods of a Deployment", listens: target };
  const ports = pods.flatMap(({ containers = [] }) => containers).flatMap((container) => container.ports ?? []);
  const named = ports.find((each) => each.name === target);
  return named === undefined
    ? { reaches: `Pods without the port ${target}` }
    : { reaches: "the Pods of a Deployment", listens: named.containerPort };
}

function podsOf({ spec, metadata }, objects) {
  const selector = Object.entries(spec.selector ?? {});
  return objects
    .filter(({ kind, metadata: { namespace } }) => kind === "Deployment" && namespace === metadata.namespace)
    .map(({ spec: { template } }) => template)
    .filter(
      ({ metadata: { labels = {} } = {} }) =>
        selector.length > 0 && selector.every(([key, value]) => labels[key] === value),
    )
    .map((template) => template.spec);
}
