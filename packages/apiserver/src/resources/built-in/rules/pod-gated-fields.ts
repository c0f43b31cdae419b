import type { GateName } from "../../../release/gate-names.ts";
import { isEnabled } from "../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../fields.ts";

/** Drops the fields of a pod's spec whose features are off. */
export function dropGatedFields(spec: MutableJsonObject): void {
  for (const [gate, drop] of DROPS) if (!isEnabled(gate)) drop(spec);
}

const DROPS: readonly (readonly [GateName, (spec: MutableJsonObject) => void])[] = [
  // Its name until 1.35, and the one since.
  ["GenericWorkload", (spec) => dropFields(spec, ["workloadRef", "schedulingGroup"])],
  ["EvictionRequestAPI", (spec) => dropFields(spec, ["evictionResponders"])],
  ["HostnameOverride", (spec) => dropFields(spec, ["hostnameOverride"])],
  ["ClusterTrustBundleProjection", (spec) => eachSource(spec, (source) => delete source["clusterTrustBundle"])],
  ["PodCertificateRequest", (spec) => eachSource(spec, (source) => delete source["podCertificate"])],
  ["EmptyDirVolumeMode", (spec) => eachVolume(spec, (volume) => delete objectIn(volume, "emptyDir")?.["mode"])],
  ["AtomicWriteVolumeUserFields", (spec) => eachVolume(spec, dropUsers)],
  ["ContainerRestartRules", dropRestartRules],
  ["EnvFiles", (spec) => eachContainer(spec, dropFileReferences)],
  ["ImageVolume", dropImageVolumes],
  ["ContainerStopSignals", (spec) => eachContainer(spec, dropStopSignal)],
  [
    "VolumeBindMountOptions",
    (spec) => eachContainer(spec, (each) => dropInList(each, "volumeMounts", "bindMountOptions")),
  ],
  ["GRPCContainerProbeTLS", (spec) => eachContainer(spec, (each) => dropInHandlers(each, "grpc", "mode"))],
  ["H2CContainerProbe", (spec) => eachContainer(spec, (each) => dropInHandlers(each, "httpGet", "protocol"))],
];

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

function eachContainer(spec: MutableJsonObject, change: (container: MutableJsonObject) => unknown): void {
  for (const list of CONTAINER_LISTS) for (const container of objectsIn(spec, list)) change(container);
}

function eachVolume(spec: MutableJsonObject, change: (volume: MutableJsonObject) => unknown): void {
  for (const volume of objectsIn(spec, "volumes")) change(volume);
}

function eachSource(spec: MutableJsonObject, change: (source: MutableJsonObject) => unknown): void {
  eachVolume(spec, (volume) => {
    for (const source of objectsIn(objectIn(volume, "projected"), "sources")) change(source);
  });
}

function dropFields(object: MutableJsonObject | undefined, names: readonly string[]): void {
  for (const name of names) delete object?.[name];
}

function dropInList(object: MutableJsonObject | undefined, list: string, name: string): void {
  for (const item of objectsIn(object, list)) delete item[name];
}

const VOLUME_KINDS = ["secret", "configMap", "downwardAPI", "projected"] as const;
const SOURCE_KINDS = [
  "secret",
  "downwardAPI",
  "configMap",
  "serviceAccountToken",
  "clusterTrustBundle",
  "podCertificate",
] as const;

// Upstream looks at the first kind of a volume or a source only; validation refuses a second one later.
function dropUsers(volume: MutableJsonObject): void {
  const inner = firstOf(volume, VOLUME_KINDS);
  delete inner?.["defaultUser"];
  dropInList(inner, "items", "user");
  for (const source of objectsIn(inner, "sources")) {
    const projected = firstOf(source, SOURCE_KINDS);
    dropInList(projected, "items", "user");
    delete projected?.["user"];
  }
}

function firstOf(object: MutableJsonObject, kinds: readonly string[]): MutableJsonObject | undefined {
  return kinds.map((kind) => objectIn(object, kind)).find((inner) => inner !== undefined);
}

// Sidecars are older than the rules.
function dropRestartRules(spec: MutableJsonObject): void {
  for (const list of CONTAINER_LISTS) {
    for (const container of objectsIn(spec, list)) {
      delete container["restartPolicyRules"];
      if (list !== "initContainers" || container["restartPolicy"] !== "Always") delete container["restartPolicy"];
    }
  }
}

function dropFileReferences(container: MutableJsonObject): void {
  for (const variable of objectsIn(container, "env")) delete objectIn(variable, "valueFrom")?.["fileKeyRef"];
}

function dropImageVolumes(spec: MutableJsonObject): void {
  const volumes = objectsIn(spec, "volumes");
  const images = new Set(volumes.filter((each) => each["image"] !== undefined).map((each) => textIn(each, "name")));
  if (images.size === 0) return;
  replaceList(
    spec,
    "volumes",
    volumes.filter((each) => each["image"] === undefined),
  );
  eachContainer(spec, (container) => {
    const mounts = objectsIn(container, "volumeMounts");
    replaceList(
      container,
      "volumeMounts",
      mounts.filter((mount) => !images.has(textIn(mount, "name"))),
    );
  });
}

function replaceList(object: MutableJsonObject, name: string, items: readonly MutableJsonObject[]): void {
  if (items.length === 0) delete object[name];
  else object[name] = items;
}

function dropStopSignal(container: MutableJsonObject): void {
  const lifecycle = objectIn(container, "lifecycle");
  if (lifecycle?.["stopSignal"] === undefined) return;
  delete lifecycle["stopSignal"];
  if (Object.keys(lifecycle).length === 0) delete container["lifecycle"];
}

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;
const HOOKS = ["postStart", "preStop"] as const;

function dropInHandlers(container: MutableJsonObject, kind: string, name: string): void {
  const lifecycle = objectIn(container, "lifecycle");
  const handlers = [
    ...PROBES.map((probe) => objectIn(container, probe)),
    ...HOOKS.map((hook) => objectIn(lifecycle, hook)),
  ];
  for (const handler of handlers) delete objectIn(handler, kind)?.[name];
}
