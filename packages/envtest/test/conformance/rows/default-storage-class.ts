import type { Json, Row } from "../row.ts";

const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const DEFAULT = "storageclass.kubernetes.io/is-default-class";

const INGRESS_CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
const DEFAULT_INGRESS = "ingressclass.kubernetes.io/is-default-class";

export const DEFAULT_STORAGE_CLASS_ROWS: readonly Row[] = [
  {
    row: 277,
    title: "claims without a class get the default one",
    // Claims of other rows would get it, too.
    isAlone: true,
    run: async ({ namespace, send, quietly, cleanUp, eventually }) => {
      const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims?dryRun=All`;
      const create = async (step: string, spec: Json = {}, annotations: Json = {}): Promise<void> => {
        await send(step, { method: "POST", path: claims, body: claim(spec, annotations) });
      };
      const createClass = async (name: string, annotations: Json): Promise<void> => {
        cleanUp(async () => quietly({ method: "DELETE", path: `${CLASSES}/${name}` }));
        const body = { metadata: { name, annotations }, provisioner: "none.example.com" };
        await quietly({ method: "POST", path: CLASSES, body });
      };
      await create("no class");
      await createClass("row-277-other", { [DEFAULT]: "false" });
      await createClass("row-277-default", { [DEFAULT]: "true" });
      // The plugin reads classes from a cache.
      await eventually({ method: "POST", path: claims, body: claim({}, {}) }, ({ body }) =>
        JSON.stringify(body).includes("row-277-default"),
      );
      await create("the default class");
      await create("another class", { storageClassName: "row-277-other" });
      await create("an empty class", { storageClassName: "" });
      await create("a class in an annotation", {}, { "volume.beta.kubernetes.io/storage-class": "row-277-other" });
    },
  },
  {
    row: 455,
    title: "ingresses without a class get the default one",
    // Ingresses of other rows would get it, too.
    isAlone: true,
    run: async ({ namespace, send, quietly, cleanUp, eventually }) => {
      const ingresses = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses?dryRun=All`;
      const create = async (step: string, spec: Json = {}, annotations: Json = {}): Promise<void> => {
        await send(step, { method: "POST", path: ingresses, body: ingress(spec, annotations) });
      };
      const createClass = async (name: string, annotations: Json): Promise<void> => {
        cleanUp(async () => quietly({ method: "DELETE", path: `${INGRESS_CLASSES}/${name}` }));
        const body = { metadata: { name, annotations }, spec: { controller: "example.com/none" } };
        await quietly({ method: "POST", path: INGRESS_CLASSES, body });
      };
      await create("no class");
      await createClass("row-455-other", { [DEFAULT_INGRESS]: "false" });
      await createClass("row-455-default", { [DEFAULT_INGRESS]: "true" });
      // The plugin reads classes from a cache.
      await eventually({ method: "POST", path: ingresses, body: ingress({}, {}) }, ({ body }) =>
        JSON.stringify(body).includes("row-455-default"),
      );
      await create("the default class");
      await create("another class", { ingressClassName: "row-455-other" });
      await create("a class in an annotation", {}, { "kubernetes.io/ingress.class": "row-455-other" });
    },
  },
];

function ingress(spec: Json, annotations: Json): Json {
  const defaultBackend = { service: { name: "web", port: { number: 80 } } };
  return { metadata: { name: "i", annotations }, spec: { defaultBackend, ...spec } };
}

function claim(spec: Json, annotations: Json): Json {
  return {
    metadata: { name: "c", annotations },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  };
}
