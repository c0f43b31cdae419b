import { type GroupVersionResource, deepClone } from "@kubescaffold/k8s";

import type { ApiObject } from "../storage/api-object.ts";
import type { Registry, ResourceType } from "./registry.ts";

/** Takes objects from one version of their resource to another, past the store. */
export interface ObjectVersions {
  /** Returns a copy of an object in another version. Fails: with 500 when it cannot be converted. */
  convert(
    object: ApiObject,
    way: { readonly from: GroupVersionResource; readonly to: GroupVersionResource },
  ): Promise<ApiObject>;
  /** Fills in the defaults of a version in an object that has been changed, and decodes it; the input may be changed. */
  complete(
    object: ApiObject,
    version: GroupVersionResource,
    decoding?: { readonly unknownFields?: string[]; readonly isMerged?: boolean },
  ): ApiObject;
}

/** Creates the versions of the resources that a registry knows; an object of any other stays as it is. */
export function createObjectVersions(registry: Registry): ObjectVersions {
  return {
    convert: async (object, { from, to }) => {
      const [own, other] = [registry.find(from), registry.find(to)];
      return own === undefined || other === undefined ? object : await converted(object, own, other);
    },
    complete: (object, version, decoding = {}) => {
      const strategy = registry.find(version)?.strategy();
      return strategy?.readmit?.(object) ?? strategy?.decode(object, { unknownFields: [], ...decoding }) ?? object;
    },
  };
}

async function converted(object: ApiObject, from: ResourceType, to: ResourceType): Promise<ApiObject> {
  const apiVersion = to.group === "" ? to.version : `${to.group}/${to.version}`;
  const { convert, toStored } = from.strategy();
  if (convert !== undefined) {
    const [result] = await convert([object], apiVersion);
    return deepClone(result as ApiObject);
  }
  if (from.isCustom) return { ...deepClone(object), apiVersion };
  return deepClone(to.strategy().fromStored(toStored(deepClone(object))));
}
