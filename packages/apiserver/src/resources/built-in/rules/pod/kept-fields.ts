import { isEnabled } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { keepUserMetadata } from "../../../object-meta.ts";

const LISTS = ["containers", "initContainers"] as const;

/** Keeps all of a Pod but its resources and those of its containers, unless containers were added, removed, renamed, or reordered, which is refused later. */
export function keepUnchanged(pod: ApiObject, old: ApiObject): void {
  keepUserMetadata(pod, old);
  const [spec, before] = [objectIn(pod, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const [containers, initContainers] = LISTS.map((list) => resized(objectsIn(spec, list), objectsIn(before, list)));
  if (LISTS.some((list) => objectsIn(spec, list).length !== objectsIn(before, list).length)) return;
  const { resources: _resources, ...others } = before;
  const resources = spec["resources"];
  pod["spec"] = {
    ...(isEnabled("InPlacePodLevelResourcesVerticalScaling")
      ? { ...others, ...(resources === undefined ? {} : { resources }) }
      : before),
    ...(before["containers"] === undefined ? {} : { containers }),
    ...(before["initContainers"] === undefined ? {} : { initContainers }),
  };
}

/** Keeps all of a Pod but its ephemeral containers. */
export function keepAllButEphemeral(pod: ApiObject, old: ApiObject): void {
  keepUserMetadata(pod, old);
  const ephemeralContainers = objectIn(pod, "spec")?.["ephemeralContainers"];
  const { ephemeralContainers: _former, ...before } = objectIn(old, "spec") ?? {};
  pod["spec"] = { ...before, ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }) };
}

function resized(
  containers: readonly MutableJsonObject[],
  before: readonly MutableJsonObject[],
): readonly MutableJsonObject[] {
  const isSame = containers.every((each, index) => textIn(each, "name") === textIn(before[index], "name"));
  if (!isSame) return containers;
  return before.map((former, index) => {
    const { resources: _resources, resizePolicy: _policy, ...others } = former;
    const { resources, resizePolicy } = containers[index] ?? {};
    return {
      ...others,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}
