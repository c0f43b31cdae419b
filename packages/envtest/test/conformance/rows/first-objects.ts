import type { Row } from "../row.ts";

interface Service {
  readonly metadata: { readonly labels: unknown };
  readonly spec: { readonly ports: readonly { readonly targetPort: unknown }[] };
}

export const FIRST_OBJECT_ROWS: readonly Row[] = [
  {
    row: 171,
    title: "the server creates the Service through which pods reach it, without endpoints on loopback",
    run: async ({ send, eventually, note }) => {
      const path = "/api/v1/namespaces/default/services/kubernetes";
      const { body } = await eventually({ path }, ({ status }) => status === 200);
      const { metadata, spec } = body as Service;
      note("its labels", metadata.labels);
      // The port is that of the server.
      note("its spec", { ...spec, ports: spec.ports.map((port) => ({ ...port, targetPort: typeof port.targetPort })) });
      await send("endpoints", { path: "/api/v1/namespaces/default/endpoints/kubernetes" });
      await send("endpointslices", { path: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes" });
    },
  },
];
