import type { JsonObject } from "@kubescaffold/schema/values";

import { groupsOf } from "../discovery/legacy-discovery.ts";
import type { Release } from "../release/release.ts";
import type { Registry } from "../resources/registry.ts";
import { documentOperation, tagOf } from "./operation-paths.ts";
import { META, REFERENCE, referencedSchemas } from "./references.ts";
import { groupTitle } from "./resource-operations.ts";

const INFO = "io.k8s.apimachinery.pkg.version.Info";

/** A document that describes no resources, such as that of `/version/`. */
interface GeneralDocument {
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
}

type MakeDocument = () => GeneralDocument;

/** Returns what makes the documents that describe no resources, by their names in the index; those of an issuer only if it publishes its keys. */
export function generalDocuments(registry: Registry, hasIssuer: boolean): ReadonlyMap<string, MakeDocument> {
  const groups = groupsOf(registry).filter((group) => group !== "" && registry.hasBuiltInGroup(group));
  const { release } = registry;
  const reading = (path: string, operation: Operation): MakeDocument => readingOf(release, path, operation);
  return new Map([
    ["api", reading("/api/", { id: "getCoreAPIVersions", tag: "core", schema: `${META}.APIVersions` })],
    ["apis", reading("/apis/", { id: "getAPIVersions", tag: "apis", schema: `${META}.APIGroupList` })],
    ...groups.map((group): [string, MakeDocument] => [
      `apis/${group}`,
      reading(`/apis/${group}/`, {
        id: `get${groupTitle(group)}APIGroup`,
        tag: tagOf(group),
        schema: `${META}.APIGroup`,
      }),
    ]),
    [
      "version",
      reading("/version/", { id: "getCodeVersion", tag: "version", schema: INFO, mediaTypes: ["application/json"] }),
    ],
    ...(hasIssuer
      ? ISSUER_DOCUMENTS.map(([name, operation]): [string, MakeDocument] => [name, reading(`/${name}/`, operation)])
      : []),
  ]);
}

type Operation = Parameters<typeof documentOperation>[0];

// The names of the documents are their paths.
const ISSUER_DOCUMENTS: readonly (readonly [string, Operation])[] = [
  [
    ".well-known/openid-configuration",
    { id: "getServiceAccountIssuerOpenIDConfiguration", tag: "WellKnown", mediaTypes: ["application/json"] },
  ],
  [
    "openid/v1/jwks",
    { id: "getServiceAccountIssuerOpenIDKeyset", tag: "openid", mediaTypes: ["application/jwk-set+json"] },
  ],
];

function readingOf(release: Release, path: string, operation: Operation): MakeDocument {
  return () => {
    const own = discoverySchemas(release);
    const definitionOf = (name: string): JsonObject | undefined =>
      own[name] ?? (release.api.schema(name) as JsonObject | undefined);
    const paths = { [path]: { get: documentOperation(operation) } };
    return { paths, schemas: referencedSchemas(paths, definitionOf) };
  };
}

const TEXT = { type: "string" } as const;
const REQUIRED_TEXT = { type: "string", default: "" } as const;

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required };
}

// An object that clients read as a whole, with its kind.
function kindOf(kind: string, properties: JsonObject, required: readonly string[]): JsonObject {
  return {
    ...object({ apiVersion: TEXT, kind: TEXT, ...properties }, required),
    "x-kubernetes-group-version-kind": [{ group: "", version: "v1", kind }],
  };
}

function listOf(items: JsonObject): JsonObject {
  return { type: "array", items, "x-kubernetes-list-type": "atomic" };
}

function reference(name: string): JsonObject {
  return { $ref: `${REFERENCE}${META}.${name}` };
}

function referenceWithDefault(name: string): JsonObject {
  return { allOf: [reference(name)], default: {} };
}

const VERSION_FIELDS = [
  "major",
  "minor",
  "gitVersion",
  "gitCommit",
  "gitTreeState",
  "buildDate",
  "goVersion",
  "compiler",
  "platform",
] as const;
const OPTIONAL_VERSION_FIELDS = [
  "emulationMajor",
  "emulationMinor",
  "minCompatibilityMajor",
  "minCompatibilityMinor",
] as const;

// The definitions of the documents of discovery, which no resource refers to.
function discoverySchemas({ since }: Release): Readonly<Record<string, JsonObject>> {
  // Elements of lists had defaults until 1.36, as in the definitions of resources.
  const hasElementDefaults = !since("1.37");
  const listOfKind = (name: string): JsonObject =>
    listOf(hasElementDefaults ? referenceWithDefault(name) : reference(name));
  const addresses = { serverAddressByClientCIDRs: listOfKind("ServerAddressByClientCIDR") };
  return {
    [`${META}.APIVersions`]: kindOf(
      "APIVersions",
      { versions: listOf(hasElementDefaults ? REQUIRED_TEXT : TEXT), ...addresses },
      ["versions", "serverAddressByClientCIDRs"],
    ),
    [`${META}.APIGroup`]: kindOf(
      "APIGroup",
      {
        name: REQUIRED_TEXT,
        versions: listOfKind("GroupVersionForDiscovery"),
        preferredVersion: referenceWithDefault("GroupVersionForDiscovery"),
        ...addresses,
      },
      ["name", "versions"],
    ),
    [`${META}.APIGroupList`]: kindOf("APIGroupList", { groups: listOfKind("APIGroup") }, ["groups"]),
    [`${META}.GroupVersionForDiscovery`]: object({ groupVersion: REQUIRED_TEXT, version: REQUIRED_TEXT }, [
      "groupVersion",
      "version",
    ]),
    [`${META}.ServerAddressByClientCIDR`]: object({ clientCIDR: REQUIRED_TEXT, serverAddress: REQUIRED_TEXT }, [
      "clientCIDR",
      "serverAddress",
    ]),
    [INFO]: object(
      Object.fromEntries([
        ...VERSION_FIELDS.map((name) => [name, REQUIRED_TEXT]),
        ...OPTIONAL_VERSION_FIELDS.map((name) => [name, TEXT]),
      ]) as JsonObject,
      VERSION_FIELDS,
    ),
  };
}
