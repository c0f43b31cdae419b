/** The API group of resource metrics. */
export const METRICS_GROUP = "metrics.k8s.io";
/** Its version. */
export const METRICS_VERSION = "v1beta1";
/** The name of its APIService. */
export const METRICS_API_SERVICE: string = `${METRICS_VERSION}.${METRICS_GROUP}`;
/** The Service of the server, which need not exist. */
export const METRICS_SERVICE = { namespace: "kube-system", name: "metrics-server" } as const;
