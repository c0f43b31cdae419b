import { compareQuantities, formatQuantity, parseQuantity, quantityToBigInt } from "@kubescaffold/k8s";
import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";

import { attributesClassNames } from "../../resources/attributes-class-names.ts";
import type { Amounts } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";
import { selectsValue } from "./scope-selector.ts";

const CLAIMS = "persistentvolumeclaims";
const STORAGE = "requests.storage";
const BY_CLASS = ".storageclass.storage.k8s.io/";

/** Measures PersistentVolumeClaims: their number and storage, also by storage class. */
export const claimEvaluator: Evaluator = {
  handles: ({ operation, subresource }) =>
    subresource === "" ? operation === "CREATE" || operation === "UPDATE" : subresource === "status",
  matchingNames: (names) =>
    names.filter(
      (name) =>
        name === `count/${CLAIMS}` || [CLAIMS, STORAGE].some((each) => name === each || name.endsWith(BY_CLASS + each)),
    ),
  isInScope: (scope, object) =>
    scope.scopeName === "VolumeAttributesClass" && selectsValue(scope, attributesClassNames(object)),
  usageOf: (object) => usageOf(object),
};

function usageOf(claim: PersistentVolumeClaim): Amounts {
  const storageClass = storageClassOf(claim);
  const storage = storageOf(claim);
  const of = (name: string, amount: string): Amounts => ({
    [name]: amount,
    ...(storageClass === "" ? {} : { [storageClass + BY_CLASS + name]: amount }),
  });
  return { [`count/${CLAIMS}`]: "1", ...of(CLAIMS, "1"), ...(storage === undefined ? {} : of(STORAGE, storage)) };
}

/** Returns the name of a claim's StorageClass, which the former annotation precedes. */
function storageClassOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
}

// What is allocated counts if it is more: an expansion that failed.
function storageOf({ spec, status }: PersistentVolumeClaim): string | undefined {
  const requested = spec?.resources?.requests?.["storage"];
  if (requested === undefined) return undefined;
  const allocated = status?.allocatedResources?.["storage"];
  const isMore = allocated !== undefined && compareQuantities(allocated, requested) > 0;
  return inWholeBytes(isMore ? allocated : requested);
}

function inWholeBytes(amount: string): string {
  const { format } = parseQuantity(amount);
  const whole = formatQuantity({ unscaled: quantityToBigInt(amount), scale: 0, format });
  return compareQuantities(whole, amount) === 0 ? amount : whole;
}
