import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";

/** Returns the VolumeAttributesClasses of a claim: the wanted one, the current one, and the one that its volume is being changed to. */
export function attributesClassNames({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as readonly string[];
}
