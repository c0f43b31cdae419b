import { pathOf } from "../kinds.ts";
import type { Call, Row } from "../row.ts";

const CBOR = "application/cbor";
// The text string "a", after the tag that marks CBOR.
const BODY = "\u{a1}";

export const CBOR_ROWS: readonly Row[] = [
  {
    row: 445,
    title: "answers are not in CBOR, whose feature gate is off",
    run: async ({ namespace, send }) => {
      const secrets = `/api/v1/namespaces/${namespace}/secrets`;
      const widgets = pathOf("widgets", namespace);
      const accepting = (path: string, accept: string): Call => ({ path, headers: { accept } });
      for (const [name, path] of [
        ["Secrets", secrets],
        ["widgets", widgets],
        ["an object that does not exist", `${secrets}/none`],
        ["a widget that does not exist", `${widgets}/none`],
        ["resources of a group", "/apis/apps/v1"],
        ["a group", "/apis/apps"],
        ["groups", "/apis"],
        ["resources of the core group", "/api/v1"],
        ["the version", "/version"],
      ] as const) {
        await send(`${name} in CBOR`, accepting(path, CBOR));
      }
      await send("Secrets in CBOR, or in JSON", accepting(secrets, `${CBOR}, application/json`));
      await send("Secrets in CBOR, or in anything", accepting(secrets, `${CBOR}, */*;q=0.1`));
      await send("a group in CBOR, or in JSON", accepting("/apis/apps", `${CBOR}, application/json`));
      await send("metadata in CBOR", accepting(widgets, `${CBOR};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`));
      await send("a table in CBOR", accepting(widgets, `${CBOR};as=Table;v=v1;g=meta.k8s.io`));
      await send("a watch in CBOR", accepting(`${secrets}?watch=1&timeoutSeconds=1`, CBOR));
      await send("a watch in a sequence of CBOR", accepting(`${secrets}?watch=1&timeoutSeconds=1`, `${CBOR}-seq`));
    },
  },
  {
    row: 446,
    title: "bodies are not read in CBOR, whose feature gate is off",
    run: async ({ namespace, send, quietly }) => {
      const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
      const widgets = pathOf("widgets", namespace);
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
      await quietly({ method: "POST", path: configMaps, body: object });
      const cbor = { text: BODY, contentType: CBOR } as const;
      await send("create a ConfigMap, and answer in CBOR", {
        method: "POST",
        path: configMaps,
        body: object,
        headers: { accept: CBOR },
      });
      await send("create a ConfigMap", { method: "POST", path: configMaps, ...cbor });
      await send("create a widget", { method: "POST", path: widgets, ...cbor });
      await send("update a ConfigMap", { method: "PUT", path: `${configMaps}/settings`, ...cbor });
      await send("delete a ConfigMap", { method: "DELETE", path: `${configMaps}/settings`, ...cbor });
      await send("delete all ConfigMaps", { method: "DELETE", path: configMaps, ...cbor });
      const patch = { method: "PATCH", text: BODY, contentType: "application/apply-patch+cbor" } as const;
      await send("apply a ConfigMap", { ...patch, path: `${configMaps}/applied?fieldManager=me` });
      await send("apply a widget", { ...patch, path: `${widgets}/applied?fieldManager=me` });
      await send("create an access review", {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        ...cbor,
      });
    },
  },
];
