import type { FlagRow } from "../flag-row.ts";
import type { Answer, Json } from "../row.ts";
import { tokenFlags } from "./new-server.ts";

const GROUP = "media.example.com";

export const OPEN_API_MEDIA_TYPE_ROWS: readonly FlagRow[] = [
  {
    row: 529,
    title: "OpenAPI documents state the media types of requests and answers",
    flags: tokenFlags,
    run: async ({ quietly, eventually, note }) => {
      await quietly({
        method: "POST",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        body: DEFINITION,
      });
      const hasCustom = ({ body }: Answer): boolean => JSON.stringify(body).includes("/namespaces/{namespace}/records");
      const custom = await eventually({ path: `/openapi/v3/apis/${GROUP}/v1` }, hasCustom);
      note("custom resources, version 3", countsOf(custom, typesOfVersion3));
      for (const path of [
        "api",
        "api/v1",
        "apis",
        "apis/apps",
        "apis/apps/v1",
        "apis/authorization.k8s.io/v1",
        "version",
      ])
        note(`${path}, version 3`, countsOf(await quietly({ path: `/openapi/v3/${path}` }), typesOfVersion3));
      const all = await eventually({ path: "/openapi/v2" }, hasCustom);
      note(
        "version 2",
        countsOf(all, ({ consumes, produces }) => [consumes, produces]),
      );
    },
  },
];

const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `records.${GROUP}` },
  spec: {
    group: GROUP,
    names: { kind: "Record", plural: "records" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object" } },
      },
    ],
  },
};

// How many operations of an action have which media types.
function countsOf({ body }: Answer, typesOf: (operation: Json) => unknown): Json {
  const counts = new Map<string, number>();
  for (const operations of Object.values((body as { readonly paths: Record<string, Json> }).paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (method === "parameters") continue;
      const { "x-kubernetes-action": action = "document" } = operation as { readonly "x-kubernetes-action"?: string };
      const line = `${action} ${JSON.stringify(typesOf(operation as Json))}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

interface Content {
  readonly content?: Json;
}

function typesOfVersion3({ requestBody, responses }: Json): unknown {
  const typesOf = (part: Content | undefined): readonly string[] => Object.keys(part?.content ?? {});
  const answers = Object.entries(responses as Record<string, Content>);
  return [typesOf(requestBody as Content | undefined), answers.map(([code, answer]) => [code, typesOf(answer)])];
}
