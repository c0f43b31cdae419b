import { CONFIG_MAPS, type HostileRequest, requestText, shortened, TARGET } from "./request-text.ts";

const CREATES = [
  "",
  "application/json",
  "APPLICATION/JSON",
  "application/json; charset=utf-8",
  "application/json;charset=latin1",
  "application/json;",
  "text/json",
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "*/*",
  "application/*",
  "json",
  "application/json, text/plain",
  "application/vnd.kubernetes.protobuf",
  "application/yaml",
  "text/yaml",
  "application/merge-patch+json",
  "application/apply-patch+yaml",
  "\u00e9",
  "application/cbor",
  ";",
  ",",
];

const PATCHES = [
  "",
  "application/json",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/apply-patch+cbor",
  "application/apply-patch+json",
  "application/merge-patch+json; charset=utf-8",
  "APPLICATION/MERGE-PATCH+JSON",
  "text/plain",
  "application/x",
  "application/merge-patch",
];

const PATCH_BODIES = ["{}", "[]", "null", "", "1", "{", '"x"'];

const ACCEPTS = [
  "",
  "application/json",
  "*/*",
  "application/*",
  "text/html",
  "application/xml",
  "application/json;q=0",
  "application/json;q=x",
  "application/json;as=Table",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=Table;g=meta.k8s.io;v=v9",
  "application/json;as=__proto__;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/cbor",
  ",",
  ";",
  "a",
  "application/json,",
  "text/html,application/json;q=0.9,*/*;q=0.8",
  "x".repeat(5000),
  "\u00ff",
];

const BODY = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "corpus-type" } });
const typeHeader = (type: string): readonly string[] => (type === "" ? [] : [`Content-Type: ${type}`]);

/** Types of bodies, patches, and answers that are unknown, odd, or malformed. */
export const MEDIA_TYPES: readonly HostileRequest[] = [
  ...CREATES.map((type): HostileRequest => [
    `create of type ${JSON.stringify(type)}`,
    requestText(`POST ${CONFIG_MAPS}?dryRun=All`, { headers: typeHeader(type), body: BODY }),
  ]),
  ...PATCHES.flatMap((type) =>
    PATCH_BODIES.map((body): HostileRequest => [
      `patch of type ${type} ${body}`,
      requestText(`PATCH ${TARGET}?dryRun=All&fieldManager=x`, { headers: typeHeader(type), body }),
    ]),
  ),
  ...ACCEPTS.map((type): HostileRequest => [
    `accept ${shortened(type)}`,
    requestText(`GET ${CONFIG_MAPS}`, { headers: [`Accept: ${type}`] }),
  ]),
];
