import type { JsonObject } from "../storage/api-object.ts";

/** The Service through which pods of a cluster reach the API server. It has no endpoints, as on servers that listen on loopback. */
export const KUBERNETES_SERVICE: JsonObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    clusterIP: "10.0.0.1",
    clusterIPs: ["10.0.0.1"],
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    sessionAffinity: "None",
    type: "ClusterIP",
  },
  status: { loadBalancer: {} },
};
