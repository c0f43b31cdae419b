import { type Json, objectOf, type Row, type RowContext } from "../row.ts";
import { createNode, createPod, noteEvent, noteNode, noteUnschedulable, podsOf } from "./node-tools.ts";
import { createClaim, noteEvents } from "./volumes.ts";

const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const DEVICES = "/apis/resource.k8s.io/v1";

/** Rows about Pods that refer to objects that do not exist. */
export const MISSING_OBJECT_ROWS: readonly Row[] = [
  {
    row: 536,
    title: "pods wait for claims whose class does not exist, until it does",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      const { quietly, cleanUp, eventually, namespace, note } = context;
      await createNode(context, "only");
      await createClaim(context, "late", "1Gi", { storageClassName: `${namespace}-late` });
      await createClaim(context, "classless", "1Gi", { storageClassName: "" });
      for (const name of ["late", "classless"]) {
        await createPod(context, `of-${name}`, using(name));
        await noteUnschedulable(context, `of-${name}`);
        await noteEvent(context, `of-${name}`, "FailedScheduling");
      }
      await noteEvents(context, "late");
      await noteEvents(context, "classless");
      const storageClass = {
        metadata: { name: `${namespace}-late` },
        provisioner: "kubernetes.io/no-provisioner",
        volumeBindingMode: "WaitForFirstConsumer",
      };
      cleanUp(async () => await quietly({ method: "DELETE", path: `${CLASSES}/${namespace}-late` }));
      await quietly({ method: "POST", path: CLASSES, body: storageClass });
      await noteUnschedulable(context, "of-late", {
        text: "available persistent volumes",
        step: "of-late, with its class",
      });
      await provideVolume(context, `${namespace}-late`);
      await noteNode(context, "of-late");
      const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/late`;
      const claim = await eventually({ path }, (answer) => objectOf(answer).status?.["phase"] === "Bound");
      note("the claim", objectOf(claim).status);
      await noteUnschedulable(context, "of-classless", { step: "of-classless, later" });
    },
  },
  {
    row: 537,
    title: "pods wait for resource claims, their templates, and device classes that do not exist",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      const { quietly, cleanUp, namespace, send } = context;
      await createNode(context, "only");
      await send("a RuntimeClass", {
        method: "POST",
        path: podsOf(context),
        body: {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "runtime" },
          spec: { runtimeClassName: "none", containers: [{ name: "main", image: "main:1" }] },
        },
      });
      const claims = `${DEVICES}/namespaces/${namespace}/resourceclaims`;
      const templates = `${DEVICES}/namespaces/${namespace}/resourceclaimtemplates`;
      await createPod(context, "no-claim", claiming({ resourceClaimName: "late" }));
      await createPod(context, "no-template", claiming({ resourceClaimTemplateName: "late" }));
      await noteEvent(context, "no-template", "FailedResourceClaimCreation");
      await noteConditions(context, "no-claim");
      await noteConditions(context, "no-template");
      await quietly({
        method: "POST",
        path: claims,
        body: { metadata: { name: "late" }, spec: deviceSpec(`${namespace}-none`) },
      });
      await noteUnschedulable(context, "no-claim");
      await noteEvent(context, "no-claim", "FailedScheduling");
      await quietly({
        method: "POST",
        path: templates,
        body: { metadata: { name: "of-pods" }, spec: { spec: deviceSpec(`${namespace}-none`) } },
      });
      await createPod(context, "template", claiming({ resourceClaimTemplateName: "of-pods" }));
      await noteUnschedulable(context, "template");
      const alternatives = {
        devices: {
          requests: [
            {
              name: "device",
              firstAvailable: [
                { name: "first", deviceClassName: `${namespace}-none` },
                { name: "second", deviceClassName: `${namespace}-other` },
              ],
            },
          ],
        },
      };
      await quietly({ method: "POST", path: claims, body: { metadata: { name: "alternatives" }, spec: alternatives } });
      await createPod(context, "alternatives", claiming({ resourceClaimName: "alternatives" }));
      await noteUnschedulable(context, "alternatives");
      const classes = `${DEVICES}/deviceclasses`;
      cleanUp(async () => await quietly({ method: "DELETE", path: `${classes}/${namespace}-none` }));
      await quietly({ method: "POST", path: classes, body: { metadata: { name: `${namespace}-none` }, spec: {} } });
      await noteUnschedulable(context, "alternatives", { text: "other", step: "alternatives, with the first class" });
    },
  },
];

function using(claimName: string): Json {
  return { volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] };
}

// A Pod waits for this volume, so that it may be bound before anybody sees that it is available.
async function provideVolume({ quietly, cleanUp }: RowContext, name: string): Promise<void> {
  const volumes = "/api/v1/persistentvolumes";
  const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/data" } };
  await quietly({
    method: "POST",
    path: volumes,
    body: { metadata: { name }, spec: { ...spec, storageClassName: name } },
  });
  cleanUp(async () => {
    const path = `${volumes}/${name}`;
    const body = { metadata: { finalizers: null } };
    await quietly({ method: "PATCH", path, body, contentType: "application/merge-patch+json" });
    await quietly({ method: "DELETE", path });
  });
}

function claiming(source: Json): Json {
  const resources = { claims: [{ name: "device" }] };
  return {
    containers: [{ name: "main", image: "main:1", resources }],
    resourceClaims: [{ name: "device", ...source }],
  };
}

function deviceSpec(deviceClassName: string): Json {
  return { devices: { requests: [{ name: "device", exactly: { deviceClassName } }] } };
}

// The scheduler does not try these pods, so that it reports nothing about them.
async function noteConditions(context: RowContext, name: string): Promise<void> {
  const answer = await context.quietly({ path: podsOf(context, name) });
  context.note(`${name}: conditions`, objectOf(answer).status?.["conditions"] ?? "none");
}
