import { type Json, type KubeObject, objectOf, type Row, type RowContext } from "../row.ts";
import { createNode, createPod, deletePod, noteEvent, noteNode, noteUnschedulable, podsOf } from "./node-tools.ts";
import { claimPath, createClaim, createVolume, nameOf, noteClaim, noteVolume } from "./volumes.ts";

const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const MERGE = "application/merge-patch+json";
const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const PROVISIONER = "volume.kubernetes.io/storage-provisioner";
const BETA_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** Rows about claims that are bound for the Pod that uses them. */
export const FIRST_CONSUMER_ROWS: readonly Row[] = [
  {
    row: 545,
    title: "the scheduler binds volumes, or selects the node of new ones, before it binds their pod",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      await createNode(context, "only");
      await bindsVolume(context);
      await selectsNode(context);
      await checksCapacity(context);
    },
  },
  {
    row: 546,
    title: "pods wait for the claims of their ephemeral volumes, which go with them",
    needs: ["workloads"],
    isAlone: true,
    run: async (context) => {
      const { quietly, eventually, note } = context;
      await createNode(context, "only");
      await createClass(context, "manual", { provisioner: NO_PROVISIONER, volumeBindingMode: "WaitForFirstConsumer" });
      await createClaim(context, "user-data", "1Gi");
      await createPod(context, "user", ephemeral(context));
      await noteEvent(context, "user", "FailedBinding");
      await noteUnschedulable(context, "user", { text: "not created" });
      const first = await eventually({ path: claimPath(context, "user-data") }, () => true);
      await quietly({ method: "DELETE", path: claimPath(context, "user-data") });
      const made = await eventually(
        { path: claimPath(context, "user-data") },
        (answer) => answer.status === 200 && objectOf(answer).metadata.uid !== objectOf(first).metadata.uid,
      );
      const pod = objectOf(await quietly({ path: podsOf(context, "user") }));
      const { ownerReferences, labels, annotations, finalizers } = objectOf(made).metadata;
      note("the claim of the pod", { ownerReferences, labels, annotations, finalizers, spec: objectOf(made).spec });
      note("its owner", (ownerReferences as readonly Json[])[0]?.["uid"] === pod.metadata.uid);
      await noteUnschedulable(context, "user", { text: "available persistent", step: "user, with its claim" });
      await provideVolume(context, "free", { capacity: { storage: "2Gi" } });
      await noteNode(context, "user");
      await noteClaim(context, "user-data", "Bound");
      await deletePod(context, "user");
      const gone = await eventually({ path: claimPath(context, "user-data") }, ({ status }) => status === 404);
      note("the claim without its pod", gone.status);
      await noteVolume(context, "free", "Released");
    },
  },
  {
    row: 547,
    title: "the binder waits for the node of a claim, and matches access modes",
    needs: ["controllers"],
    run: async (context) => {
      const { namespace, quietly } = context;
      await createVolume(context, "several", { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] });
      await createVolume(context, "large", { capacity: { storage: "9Gi" } });
      await createClaim(context, "shared", "1Gi", { accessModes: ["ReadWriteMany"] });
      await createClaim(context, "single", "1Gi");
      await noteClaim(context, "single", "Bound");
      await noteClaim(context, "shared", "Pending");
      const modal = { storageClassName: `${namespace}-modal` };
      await createClaim(context, "modal", "1Gi", modal);
      const { uid } = objectOf(await quietly({ path: claimPath(context, "modal") })).metadata;
      await provideVolume(context, "blocks", {
        ...modal,
        volumeMode: "Block",
        claimRef: { namespace, name: "modal", uid },
      });
      await noteBinderEvents(context, "modal", "VolumeMismatch");
      await createClass(context, "none", { provisioner: NO_PROVISIONER });
      await createClaim(context, "unprovided", "1Gi", { storageClassName: `${namespace}-none` });
      await createClass(context, "unknown", { provisioner: "kubernetes.io/unknown" });
      await createClaim(context, "misdirected", "1Gi", { storageClassName: `${namespace}-unknown` });
      await createClass(context, "migrated", {
        provisioner: "kubernetes.io/aws-ebs",
        volumeBindingMode: "WaitForFirstConsumer",
      });
      await createClaim(context, "migrated", "1Gi", { storageClassName: `${namespace}-migrated` });
      await createClass(context, "waiting", { provisioner: NO_PROVISIONER, volumeBindingMode: "WaitForFirstConsumer" });
      const waiting = { storageClassName: `${namespace}-waiting` };
      await createVolume(context, "reserved", { ...waiting, claimRef: { namespace, name: "promised" } });
      await createClaim(context, "promised", "1Gi", waiting);
      await noteClaim(context, "promised", "Bound");
      await createVolume(context, "free", waiting);
      await createClaim(context, "waiting", "1Gi", waiting);
      const pod = { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
      for (const [name, spec] of Object.entries({ first: {}, second: {}, placed: { nodeName: `${namespace}-none` } })) {
        const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "waiting" } }];
        await quietly({
          method: "POST",
          path: podsOf(context),
          body: { metadata: { name }, spec: { ...pod, ...spec, volumes } },
        });
      }
      await annotate(context, "waiting", { touched: "yes" });
      await noteBinderEvents(context, "waiting", "WaitForPodScheduled");
      await annotate(context, "waiting", { [SELECTED_NODE]: `${namespace}-none` });
      await noteBinderEvents(context, "waiting", "ProvisioningFailed");
      await noteClaim(context, "waiting", "Pending");
      await annotate(context, "migrated", { [SELECTED_NODE]: `${namespace}-none` });
      for (const name of ["unprovided", "misdirected"]) await noteBinderEvents(context, name, "ProvisioningFailed");
      await noteBinderEvents(context, "migrated", "ExternalProvisioning");
      const migrated = annotationsOf(objectOf(await quietly({ path: claimPath(context, "migrated") })));
      context.note("the provisioner of migrated", [migrated[PROVISIONER], migrated[BETA_PROVISIONER]]);
    },
  },
];

async function bindsVolume(context: RowContext): Promise<void> {
  const { namespace } = context;
  const storageClassName = `${namespace}-manual`;
  await createClass(context, "manual", { provisioner: NO_PROVISIONER, volumeBindingMode: "WaitForFirstConsumer" });
  await createClaim(context, "data", "1Gi");
  await noteBinderEvents(context, "data", "WaitForFirstConsumer");
  await createVolume(context, "far", { storageClassName, local: { path: "/data" }, hostPath: null });
  await createPod(context, "reader", using("data"));
  await noteUnschedulable(context, "reader");
  await noteEvent(context, "reader", "FailedScheduling");
  await annotate(context, "data", { touched: "yes" });
  await noteBinderEvents(context, "data", "WaitForPodScheduled");
  await provideVolume(context, "near", { storageClassName, capacity: { storage: "2Gi" } });
  await noteNode(context, "reader");
  await noteClaim(context, "data", "Bound");
  await noteVolume(context, "near", "Bound");
  await noteStatus(context, "reader", "bound");
}

async function selectsNode(context: RowContext): Promise<void> {
  const { namespace, eventually, note } = context;
  const allow = await forbidVolumes(context, `${namespace}-made`);
  await createClass(context, "made", { provisioner: "example.com/disk", volumeBindingMode: "WaitForFirstConsumer" });
  await createClaim(context, "made", "1Gi", { storageClassName: `${namespace}-made` });
  await createPod(context, "writer", using("made"));
  await noteBinderEvents(context, "made", "ExternalProvisioning");
  await noteClaim(context, "made", "Pending");
  await noteStatus(context, "writer", "waiting");
  await annotate(context, "made", { [SELECTED_NODE]: null });
  await noteUnschedulable(context, "writer");
  await noteEvent(context, "writer", "FailedScheduling");
  const again = await eventually(
    { path: claimPath(context, "made") },
    (answer) => annotationsOf(objectOf(answer))[SELECTED_NODE] !== undefined,
  );
  note("the node, selected again", annotationsOf(objectOf(again)));
  await noteNominated(context, "writer");
  await allow();
  await provision(context, objectOf(again));
  await noteNode(context, "writer");
  await noteClaim(context, "made", "Bound");
  await noteStatus(context, "writer", "bound");
}

async function checksCapacity(context: RowContext): Promise<void> {
  const { namespace, quietly, cleanUp, eventually, note } = context;
  const driver = `${namespace}.example.com`;
  const drivers = "/apis/storage.k8s.io/v1/csidrivers";
  cleanUp(async () => await quietly({ method: "DELETE", path: `${drivers}/${driver}` }));
  await quietly({
    method: "POST",
    path: drivers,
    body: { metadata: { name: driver }, spec: { storageCapacity: true } },
  });
  const storageClassName = nameOf(context, "sized");
  await createClass(context, "sized", { provisioner: driver, volumeBindingMode: "WaitForFirstConsumer" });
  await createClaim(context, "sized", "5Gi", { storageClassName });
  await createPod(context, "sized", using("sized"));
  await noteUnschedulable(context, "sized");
  const path = `/apis/storage.k8s.io/v1/namespaces/${namespace}/csistoragecapacities`;
  const capacity = { storageClassName, nodeTopology: { matchLabels: { row: namespace } } };
  await quietly({ method: "POST", path, body: { metadata: { name: "small" }, ...capacity, capacity: "4Gi" } });
  const large = { ...capacity, capacity: "9Gi", maximumVolumeSize: "5Gi" };
  await quietly({ method: "POST", path, body: { metadata: { name: "large" }, ...large } });
  const claim = await eventually(
    { path: claimPath(context, "sized") },
    (answer) => annotationsOf(objectOf(answer))[SELECTED_NODE] !== undefined,
  );
  note("the node with room", annotationsOf(objectOf(claim))[SELECTED_NODE]);
}

async function createClass(context: RowContext, name: string, fields: Json): Promise<void> {
  const { quietly, cleanUp } = context;
  const body = { metadata: { name: nameOf(context, name) }, ...fields };
  cleanUp(async () => await quietly({ method: "DELETE", path: `${CLASSES}/${nameOf(context, name)}` }));
  await quietly({ method: "POST", path: CLASSES, body });
}

function using(claimName: string): Json {
  return { volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] };
}

function ephemeral({ namespace }: RowContext): Json {
  const metadata = { labels: { tier: "fast" }, annotations: { note: "kept" } };
  const spec = claimSpec(`${namespace}-manual`, "1Gi");
  return { volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { metadata, spec } } }] };
}

function claimSpec(storageClassName: string, storage: string): Json {
  return { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage } } };
}

async function annotate(context: RowContext, claim: string, annotations: Json): Promise<void> {
  const body = { metadata: { annotations } };
  await context.quietly({ method: "PATCH", path: claimPath(context, claim), body, contentType: MERGE });
}

function annotationsOf({ metadata }: KubeObject): Json {
  return (metadata["annotations"] ?? {}) as Json;
}

// Somebody waits for this volume, so that it may never be seen as available.
async function provideVolume(context: RowContext, name: string, spec: Json): Promise<void> {
  await createVolume({ ...context, eventually: async (call) => await context.quietly(call) }, name, spec);
}

// What a provisioner does; the simulated one has done it by now, or does the same.
async function provision(context: RowContext, { metadata }: KubeObject): Promise<void> {
  const { namespace, quietly, cleanUp } = context;
  const { name, uid } = metadata;
  const volume = {
    metadata: { name: `pvc-${uid}`, annotations: { "pv.kubernetes.io/provisioned-by": "example.com/disk" } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid },
      hostPath: { path: "/data" },
      storageClassName: `${namespace}-made`,
    },
  };
  await quietly({ method: "POST", path: "/api/v1/persistentvolumes", body: volume });
  const path = `/api/v1/persistentvolumes/pvc-${uid}`;
  cleanUp(async () => {
    await quietly({ method: "PATCH", path, body: { metadata: { finalizers: null } }, contentType: MERGE });
    await quietly({ method: "DELETE", path });
  });
}

// No provisioner can create a volume of a class until the returned function is called.
async function forbidVolumes(context: RowContext, storageClassName: string): Promise<() => Promise<unknown>> {
  const { namespace: name, quietly, cleanUp, eventually } = context;
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["persistentvolumes"] };
  const policy = `${ADMISSION}/validatingadmissionpolicies`;
  const binding = `${ADMISSION}/validatingadmissionpolicybindings`;
  const expression = `object.spec.storageClassName != '${storageClassName}'`;
  const allow = async (): Promise<unknown> => await quietly({ method: "DELETE", path: `${binding}/${name}` });
  cleanUp(async () => {
    await allow();
    await quietly({ method: "DELETE", path: `${policy}/${name}` });
  });
  await quietly({
    method: "POST",
    path: policy,
    body: {
      metadata: { name },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
    },
  });
  await quietly({
    method: "POST",
    path: binding,
    body: { metadata: { name }, spec: { policyName: name, validationActions: ["Deny"] } },
  });
  const probe = {
    metadata: { name: `${name}-probe` },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1" }, hostPath: { path: "/" }, storageClassName },
  };
  const path = "/api/v1/persistentvolumes?dryRun=All";
  await eventually({ method: "POST", path, body: probe }, ({ status }) => status === 422);
  return async () => {
    await allow();
    await eventually({ method: "POST", path, body: probe }, ({ status }) => status === 201);
  };
}

async function noteStatus(context: RowContext, pod: string, step: string): Promise<void> {
  const { status, spec } = objectOf(await context.quietly({ path: podsOf(context, pod) }));
  const scheduled = ((status?.["conditions"] ?? []) as readonly Json[]).find(({ type }) => type === "PodScheduled");
  // Kubelets add a generation to the condition, and kwok does not.
  const { observedGeneration: _generation, ...condition } = scheduled ?? {};
  context.note(`${pod}, ${step}`, {
    node: spec?.["nodeName"] ?? "none",
    nominated: status?.["nominatedNodeName"] ?? "none",
    condition,
  });
}

async function noteNominated(context: RowContext, pod: string): Promise<void> {
  await context.eventually(
    { path: podsOf(context, pod) },
    (answer) => objectOf(answer).status?.["nominatedNodeName"] !== undefined,
  );
  await noteStatus(context, pod, "waiting again");
}

// Events of the binder, without those of provisioners.
async function noteBinderEvents(context: RowContext, claim: string, last: string): Promise<void> {
  const selector = encodeURIComponent(`involvedObject.name=${claim},involvedObject.kind=PersistentVolumeClaim`);
  const path = `/api/v1/namespaces/${context.namespace}/events?fieldSelector=${selector}`;
  const answer = await context.eventually({ path }, (each) =>
    (objectOf(each).items ?? []).some(({ reason }) => reason === last),
  );
  const events = (objectOf(answer).items ?? [])
    .filter(({ source }) => (source as Json | undefined)?.["component"] === "persistentvolume-controller")
    .map(({ type, reason, message }) => `${String(type)} ${String(reason)}: ${withSortedPods(String(message))}`);
  context.note(`events of ${claim} until ${last}`, [...new Set(events)].sort());
}

function withSortedPods(message: string): string {
  return message.replace(/(?<=pods )\S+/u, (names) => names.split(",").sort().join(","));
}
