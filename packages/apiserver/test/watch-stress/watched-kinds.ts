import type { Body } from "../support/test-server.ts";

/** A kind that writers change and watchers watch, in one of its versions. */
export interface WatchedKind {
  readonly title: string;
  readonly group: string;
  readonly resource: string;
  readonly version: string;
  /** Returns an object whose content is a number. */
  readonly objectOf: (content: number) => Body;
  /** Returns the content of an object in the version of this kind. */
  readonly contentOf: (object: Body) => unknown;
}

export const CONFIG_MAPS: WatchedKind = {
  title: "ConfigMaps",
  group: "",
  resource: "configmaps",
  version: "v1",
  objectOf: (content) => ({ apiVersion: "v1", kind: "ConfigMap", data: { n: String(content) } }),
  contentOf: (object) => Number(object.data?.n),
};

const GROUP = "stress.example.com";

/** The stored version of a kind that a webhook converts. */
export const METERS: WatchedKind = {
  title: "custom resources",
  group: GROUP,
  resource: "meters",
  version: "v1",
  objectOf: (content) => ({ apiVersion: `${GROUP}/v1`, kind: "Meter", spec: { n: content } }),
  contentOf: (object) => object.spec?.n,
};

/** The same kind in the other version. */
export const CONVERTED_METERS: WatchedKind = {
  ...METERS,
  title: "converted custom resources",
  version: "v2",
  contentOf: (object) => object.spec?.count,
};

/** Returns the path of the objects of a kind, in one namespace or in all. */
export function pathOf({ group, version, resource }: WatchedKind, namespace: string): string {
  const prefix = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${prefix}${namespace === "" ? "" : `/namespaces/${namespace}`}/${resource}`;
}

/** The definition of the kind that is converted. */
export const METER_DEFINITION: Body = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${METERS.resource}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "meters", singular: "meter", kind: "Meter", listKind: "MeterList" },
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://converter.test/" } },
    },
    versions: [versionOf("v1", "n"), versionOf("v2", "count")],
  },
};

function versionOf(name: string, field: string): Body {
  const spec = { type: "object", properties: { [field]: { type: "integer" } } };
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
  };
}

/** Answers a review of the webhook, some turns of the event loop later. */
export async function convertMeters(body: string, turns: number): Promise<string> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const { request, apiVersion, kind } = JSON.parse(body);
  const isSecond = String(request.desiredAPIVersion).endsWith("/v2");
  const convertedObjects = request.objects.map((object: Body) => {
    const content: unknown = object.spec?.n ?? object.spec?.count;
    return { ...object, apiVersion: request.desiredAPIVersion, spec: isSecond ? { count: content } : { n: content } };
  });
  return JSON.stringify({
    apiVersion,
    kind,
    response: { uid: request.uid, result: { status: "Success" }, convertedObjects },
  });
}
