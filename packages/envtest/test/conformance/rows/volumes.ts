import { objectOf, type Answer, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { selectedRelease } from "../selected-release.ts";

const MERGE = "application/merge-patch+json";

export const VOLUME_ROWS: readonly Row[] = [
  {
    row: 238,
    title: "claims are bound to the smallest volume that satisfies them, which is released when they go",
    needs: ["controllers"],
    run: async (tools) => {
      await createVolume(tools, "large", { capacity: { storage: "10Gi" } });
      await createVolume(tools, "small", { capacity: { storage: "5Gi" } }, { tier: "fast" });
      await createVolume(tools, "tiny", { capacity: { storage: "1Gi" } });
      await noteVolume(tools, "tiny", "Available");
      await createClaim(tools, "data", "3Gi");
      await noteClaim(tools, "data", "Bound");
      await noteVolume(tools, "small", "Bound");
      await createClaim(tools, "selective", "1Gi", { selector: { matchLabels: { tier: "slow" } } });
      await createClaim(tools, "too-large", "2Gi", { volumeName: nameOf(tools, "tiny") });
      await createClaim(tools, "taken", "1Gi", { volumeName: nameOf(tools, "small") });
      await createClaim(tools, "classless", "1Gi", { storageClassName: "" });
      for (const name of ["too-large", "taken", "classless"]) await noteEvents(tools, name);
      await noteClaim(tools, "selective", "Pending");
      await tools.quietly({ method: "DELETE", path: volumePath(tools, "small") });
      const marked = await tools.eventually(
        { path: volumePath(tools, "small") },
        (answer) => objectOf(answer).metadata["deletionTimestamp"] !== undefined,
      );
      tools.note("a deleted volume that is bound", objectOf(marked).metadata["finalizers"]);
      await tools.quietly({ method: "DELETE", path: claimPath(tools, "data") });
      const gone = await tools.eventually({ path: volumePath(tools, "small") }, ({ status }) => status === 404);
      tools.note("the volume without its claim", gone.status);
    },
  },
  {
    row: 239,
    title: "volumes are retained, reserved, and lost, and claims wait for their first consumer",
    needs: ["controllers"],
    run: async (tools) => {
      const { quietly, namespace } = tools;
      await createVolume(tools, "kept", {});
      await createClaim(tools, "first", "1Gi");
      await noteClaim(tools, "first", "Bound");
      await quietly({ method: "DELETE", path: claimPath(tools, "first") });
      await noteVolume(tools, "kept", "Released");
      await createVolume(tools, "failing", {
        persistentVolumeReclaimPolicy: "Delete",
        local: { path: "/data" },
        hostPath: null,
      });
      await createClaim(tools, "second", "1Gi");
      await noteClaim(tools, "second", "Bound");
      await quietly({ method: "DELETE", path: claimPath(tools, "second") });
      await noteVolume(tools, "failing", "Failed");
      await createVolume(tools, "reserved", { claimRef: { namespace, name: "third" }, capacity: { storage: "9Gi" } });
      await createClaim(tools, "third", "1Gi");
      await noteClaim(tools, "third", "Bound");
      await noteVolume(tools, "reserved", "Bound");
      // In this order, since the finalizer comes back as long as the volume is not being deleted.
      await quietly({ method: "DELETE", path: volumePath(tools, "reserved") });
      await quietly({
        method: "PATCH",
        path: volumePath(tools, "reserved"),
        body: { metadata: { finalizers: null } },
        contentType: MERGE,
      });
      await noteClaim(tools, "third", "Lost");
      await noteEvents(tools, "third");
      const storageClass = `${namespace}-waiting`;
      const classes = "/apis/storage.k8s.io/v1/storageclasses";
      await quietly({
        method: "POST",
        path: classes,
        body: {
          metadata: { name: storageClass },
          provisioner: "kubernetes.io/no-provisioner",
          volumeBindingMode: "WaitForFirstConsumer",
        },
      });
      tools.cleanUp(async () => quietly({ method: "DELETE", path: `${classes}/${storageClass}` }));
      await createVolume(tools, "waiting", { storageClassName: storageClass });
      await createClaim(tools, "fourth", "1Gi", { storageClassName: storageClass });
      await noteEvents(tools, "fourth");
      await noteClaim(tools, "fourth", "Pending");
      await createClaim(tools, "fifth", "1Gi", { storageClassName: "none-such" });
      await noteEvents(tools, "fifth");
    },
  },
];

export const nameOf = ({ namespace }: RowContext, name: string): string => `${namespace}-${name}`;

const volumePath = (tools: RowContext, name: string): string => `/api/v1/persistentvolumes/${nameOf(tools, name)}`;

export function claimPath({ namespace }: RowContext, name: string): string {
  return `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`;
}

export async function createVolume(tools: RowContext, name: string, spec: Json, labels: Json = {}): Promise<void> {
  const { quietly, cleanUp, eventually, namespace } = tools;
  const affinity = { key: "kubernetes.io/hostname", operator: "In", values: ["none"] };
  const body = {
    metadata: { name: nameOf(tools, name), labels },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      storageClassName: `${namespace}-manual`,
      hostPath: { path: `/data/${name}` },
      ...(spec["local"] === undefined
        ? {}
        : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [affinity] }] } } }),
      ...spec,
    },
  };
  await quietly({ method: "POST", path: "/api/v1/persistentvolumes", body });
  const path = volumePath(tools, name);
  cleanUp(async () => {
    await quietly({ method: "PATCH", path, body: { metadata: { finalizers: null } }, contentType: MERGE });
    await quietly({ method: "DELETE", path });
  });
  await eventually({ path }, (answer) => objectOf(answer).status?.["phase"] === "Available");
}

export async function createClaim(
  { namespace, quietly }: RowContext,
  name: string,
  storage: string,
  spec: Json = {},
): Promise<void> {
  const body = {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: `${namespace}-manual`,
      resources: { requests: { storage } },
      ...spec,
    },
  };
  await quietly({ method: "POST", path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, body });
}

function hasPhase(phase: string): (answer: Answer) => boolean {
  return (answer) => objectOf(answer).status?.["phase"] === phase;
}

// Another controller than the one that binds a claim states whether Pods use it.
const statesUse = (): boolean => selectedRelease().isEnabled("PersistentVolumeClaimUnusedSinceTime");

function hasUseOf(answer: Answer): boolean {
  const conditions = (objectOf(answer).status?.["conditions"] ?? []) as readonly Json[];
  return conditions.some(({ type }) => type === "Unused");
}

export async function noteClaim(tools: RowContext, name: string, phase: string): Promise<void> {
  const isStated = (answer: Answer): boolean =>
    hasPhase(phase)(answer) && (!statesUse() || phase === "Pending" || hasUseOf(answer));
  const claim = objectOf(await tools.eventually({ path: claimPath(tools, name) }, isStated));
  tools.note(`the claim ${name} ${phase}`, shown(claim));
}

export async function noteVolume(tools: RowContext, name: string, phase: string): Promise<void> {
  const volume = objectOf(await tools.eventually({ path: volumePath(tools, name) }, hasPhase(phase)));
  tools.note(`the volume ${name} ${phase}`, shown(volume));
}

// The version in the reference of a volume is that of the claim at a random time.
function shown({ metadata, spec, status }: KubeObject): Json {
  const reference = spec?.["claimRef"] as Json | undefined;
  const { resourceVersion: _version, ...claimRef } = reference ?? {};
  return {
    annotations: metadata["annotations"],
    finalizers: metadata["finalizers"],
    spec: { ...spec, ...(reference === undefined ? {} : { claimRef }) },
    status,
  };
}

export async function noteEvents(tools: RowContext, name: string): Promise<void> {
  const selector = encodeURIComponent(`involvedObject.name=${name}`);
  const path = `/api/v1/namespaces/${tools.namespace}/events?fieldSelector=${selector}`;
  const answer = await tools.eventually({ path }, (each) => (objectOf(each).items ?? []).length > 0);
  const events = (objectOf(answer).items ?? []).map(({ type, reason, message, source }) => ({
    type,
    reason,
    message,
    source,
  }));
  const unique = new Map(events.map((event) => [JSON.stringify(event), event]));
  tools.note(
    `events of ${name}`,
    [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, event]) => event),
  );
}
