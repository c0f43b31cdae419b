import { apiVersionOf, deepClone, type GroupVersionKind, parseApiVersion } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

import { describeValue, isPromise, ReturnedValueError } from "../reconcile/returned-value.ts";
import { WebhookConversionError, WebhookConvertError } from "./errors.ts";

interface ConvertibleKind {
  readonly hub: GroupVersionKind;
  readonly spokes: ReadonlyMap<string, SpokeConverter<KubernetesObject>>;
}

/**
 * Stores the converters of all kinds, and converts objects with them.
 *
 * controller-runtime: pkg/webhook/conversion.Registry
 */
export class ConversionRegistry {
  readonly #kinds = new Map<string, ConvertibleKind>();

  /**
   * Adds the spokes of a hub.
   *
   * Fails: {@link WebhookConversionError} for a spoke of another kind, a version that has a converter, and a kind with another hub.
   */
  register<T extends KubernetesObject>(hub: GroupVersionKind, spokes: readonly SpokeConverter<T>[]): void {
    const known = this.#kinds.get(kindKey(hub));
    if (known !== undefined && known.hub.version !== hub.version) {
      throw new WebhookConversionError(
        `the hub of ${hub.kind} is ${known.hub.version}, so ${hub.version} cannot be the hub`,
      );
    }
    const all = new Map(known?.spokes);
    for (const converter of spokes) {
      checkSpoke(hub, converter.spoke);
      if (all.has(converter.spoke.version)) {
        throw new WebhookConversionError(`${hub.kind} has two converters for ${converter.spoke.version}`);
      }
      all.set(converter.spoke.version, converter);
    }
    this.#kinds.set(kindKey(hub), { hub, spokes: all });
  }

  /**
   * Returns an object in another version of its kind without changing the argument.
   *
   * Guarantees: the metadata is that of the argument except for labels and annotations, which are those of the converters' results.
   * Fails: {@link WebhookConvertError} for a kind or version without a converter and for the object's own version;
   * any error of a converter.
   */
  convert(object: KubernetesObject, apiVersion: string): KubernetesObject {
    const source = gvkOf(object);
    const target = { ...parseApiVersion(apiVersion), kind: source.kind };
    if (object.apiVersion === apiVersion) {
      throw new WebhookConvertError(describeKind(source), apiVersion, "it already has that version");
    }
    const kind = this.#kinds.get(kindKey(source));
    if (target.group !== source.group) {
      throw new WebhookConvertError(
        describeKind(source),
        apiVersion,
        `the groups ${source.group} and ${target.group} differ`,
      );
    }
    if (kind === undefined) {
      throw new WebhookConvertError(describeKind(source), apiVersion, `no conversion of ${source.kind} is registered`);
    }
    const missing = [source, target].find(
      (each) => each.version !== kind.hub.version && !kind.spokes.has(each.version),
    );
    if (missing !== undefined) {
      throw new WebhookConvertError(
        describeKind(source),
        apiVersion,
        `no converter for ${describeKind(missing)} is registered`,
      );
    }
    const hubObject = source.version === kind.hub.version ? deepClone(object) : toHub(kind, object, source);
    return target.version === kind.hub.version ? hubObject : fromHub(kind, hubObject, target);
  }
}

function toHub(kind: ConvertibleKind, object: KubernetesObject, source: GroupVersionKind): KubernetesObject {
  const result = converterOf(kind, source).convertTo(deepClone(object));
  return completed({ result, original: object, gvk: kind.hub });
}

function fromHub(kind: ConvertibleKind, object: KubernetesObject, target: GroupVersionKind): KubernetesObject {
  const result = converterOf(kind, target).convertFrom(deepClone(object));
  return completed({ result, original: object, gvk: target });
}

function converterOf({ hub, spokes }: ConvertibleKind, spoke: GroupVersionKind): SpokeConverter<KubernetesObject> {
  const converter = spokes.get(spoke.version);
  if (converter === undefined) {
    throw new WebhookConversionError(`${hub.kind} has no converter for ${describeKind(spoke)}`);
  }
  return converter;
}

function completed(input: {
  readonly result: KubernetesObject;
  readonly original: KubernetesObject;
  readonly gvk: GroupVersionKind;
}): KubernetesObject {
  const { result, original, gvk } = input;
  requireObject(result, gvk);
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...fields } = result;
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  const { labels, annotations } = metadata;
  return {
    apiVersion: apiVersionOf(gvk),
    kind: gvk.kind,
    metadata: {
      ...deepClone(kept),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...fields,
  };
}

function requireObject(result: unknown, gvk: GroupVersionKind): void {
  const isObject = isRecord(result) && !isPromise(result);
  if (isObject && isRecord(result["metadata"])) return;
  throw new ReturnedValueError(
    `the converter to ${describeKind(gvk)} returned ${isObject ? "an object without metadata" : describeValue(result)}`,
    "return the converted object; converters are synchronous",
  );
}

function checkSpoke(hub: GroupVersionKind, spoke: GroupVersionKind): void {
  if (spoke.group !== hub.group || spoke.kind !== hub.kind) {
    throw new WebhookConversionError(`${describeKind(spoke)} is not a version of ${hub.kind} in ${hub.group}`);
  }
  if (spoke.version === hub.version) {
    throw new WebhookConversionError(`${describeKind(hub)} cannot be a spoke of itself`);
  }
}

function gvkOf({ apiVersion, kind }: KubernetesObject): GroupVersionKind {
  if (apiVersion === undefined || apiVersion === "" || kind === undefined || kind === "") {
    throw new WebhookConvertError("an object", "", "it has no apiVersion or kind");
  }
  return { ...parseApiVersion(apiVersion), kind };
}

function kindKey({ group, kind }: GroupVersionKind): string {
  return `${group}/${kind}`;
}

function describeKind(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)}, Kind=${gvk.kind}`;
}

/**
 * Converts between one version of a kind, a spoke, and the version that all others are converted through, the hub.
 *
 * Both directions must be pure and lossless: store the values of missing fields in an annotation. Only labels and annotations of the result's
 * metadata are used, since servers refuse any other change.
 *
 * controller-runtime: pkg/webhook/conversion.SpokeConverter
 *
 * @example
 * export const guestbookConverter: SpokeConverter<Hub, Guestbook> = {
 *   spoke: Guestbook,
 *   convertTo: ({ metadata, spec }) => Hub.create({ metadata, spec: { size: spec.replicas } }),
 *   convertFrom: ({ metadata, spec }) => Guestbook.create({ metadata, spec: { replicas: spec.size } }),
 * };
 */
export interface SpokeConverter<Hub extends KubernetesObject, Spoke extends KubernetesObject = KubernetesObject> {
  /** The kind of the spoke: the hub's group and kind, in another version. */
  readonly spoke: GroupVersionKind;
  /** Converts a spoke to the hub. */
  convertTo(spoke: Spoke): Hub;
  /** Converts the hub to a spoke. */
  convertFrom(hub: Hub): Spoke;
}
