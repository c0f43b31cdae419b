import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn } from "../../../fields.ts";

const SNAPSHOTS = "snapshot.storage.k8s.io";

/** Drops sources of data that upstream drops, and lets the older and the newer field of a claim state the same one. */
export function normalizeDataSources(claim: ApiObject, old?: ApiObject): void {
  const spec = objectIn(claim, "spec");
  const before = objectIn(old, "spec");
  if (spec === undefined) return;
  const isNew = (field: string): boolean => before?.[field] === undefined;
  const isForeign = textIn(objectIn(spec, "dataSourceRef"), "namespace") !== "";
  if (isNew("dataSourceRef") && isForeign) delete spec["dataSourceRef"];
  const isAlone = spec["dataSourceRef"] === undefined;
  if (isAlone && isNew("dataSource") && !isVolumeOrSnapshot(objectIn(spec, "dataSource"))) delete spec["dataSource"];
  const [source, reference] = [objectIn(spec, "dataSource"), objectIn(spec, "dataSourceRef")];
  if (source !== undefined && reference === undefined) spec["dataSourceRef"] = { ...source };
  if (source === undefined && reference !== undefined && textIn(reference, "namespace") === "") {
    spec["dataSource"] = withoutNamespace(reference);
  }
}

function isVolumeOrSnapshot(source: MutableJsonObject | undefined): boolean {
  const [group, kind] = [textIn(source, "apiGroup"), textIn(source, "kind")];
  return (kind === "PersistentVolumeClaim" && group === "") || (kind === "VolumeSnapshot" && group === SNAPSHOTS);
}

function withoutNamespace({ namespace: _namespace, ...reference }: MutableJsonObject): MutableJsonObject {
  return reference;
}
