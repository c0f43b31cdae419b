/** The form of a value in the API's webhook objects. */
export type FieldShape =
  | { readonly kind: "text" }
  /** Bytes, in standard base64. */
  | { readonly kind: "bytes" }
  | { readonly kind: "integer" }
  | { readonly kind: "texts" }
  | { readonly kind: "map" }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, FieldShape>> }
  /** A list of objects; with a merge key a patch changes the item that has the same one. */
  | { readonly kind: "objects"; readonly fields: Readonly<Record<string, FieldShape>>; readonly mergeKey?: string };

const TEXT: FieldShape = { kind: "text" };
const TEXTS: FieldShape = { kind: "texts" };
const WHOLE: FieldShape = { kind: "integer" };

const SELECTOR: FieldShape = {
  kind: "object",
  fields: {
    matchLabels: { kind: "map" },
    matchExpressions: { kind: "objects", fields: { key: TEXT, operator: TEXT, values: TEXTS } },
  },
};

const VALIDATING: Readonly<Record<string, FieldShape>> = {
  name: TEXT,
  clientConfig: {
    kind: "object",
    fields: {
      url: TEXT,
      caBundle: { kind: "bytes" },
      service: { kind: "object", fields: { namespace: TEXT, name: TEXT, path: TEXT, port: WHOLE } },
    },
  },
  rules: {
    kind: "objects",
    fields: { operations: TEXTS, apiGroups: TEXTS, apiVersions: TEXTS, resources: TEXTS, scope: TEXT },
  },
  failurePolicy: TEXT,
  matchPolicy: TEXT,
  namespaceSelector: SELECTOR,
  objectSelector: SELECTOR,
  sideEffects: TEXT,
  timeoutSeconds: WHOLE,
  admissionReviewVersions: TEXTS,
  matchConditions: { kind: "objects", fields: { name: TEXT, expression: TEXT }, mergeKey: "name" },
};

/** The fields of a mutating webhook. */
export const MUTATING_WEBHOOK: FieldShape = { kind: "object", fields: { ...VALIDATING, reinvocationPolicy: TEXT } };

/** The fields of a webhook that only validates objects. */
export const VALIDATING_WEBHOOK: FieldShape = { kind: "object", fields: VALIDATING };
