import type { JsonSchema } from "../../src/model/json-schema.ts";

const TEXT: JsonSchema = { type: "string" };
const PORT: JsonSchema = {
  type: "object",
  properties: { name: TEXT, protocol: { type: "string", default: "TCP" }, number: { type: "integer" } },
};

/** A schema with every way in which values are merged. */
export const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        labels: { type: "object", additionalProperties: TEXT },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name", "protocol"],
          items: PORT,
        },
        names: { type: "array", "x-kubernetes-list-type": "set", items: TEXT },
        words: { type: "array", items: TEXT },
        whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: TEXT, b: TEXT } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { ready: { type: "integer" } } },
  },
};
