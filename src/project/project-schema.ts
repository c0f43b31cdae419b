const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** The JSON schema of PROJECT version 3; keys it does not name are allowed, since a newer program may have written them. */
export const PROJECT_SCHEMA: object = {
  type: "object",
  required: ["version"],
  properties: {
    cliVersion: text,
    domain: text,
    layout: { anyOf: [text, { type: "array", items: text }] },
    multigroup: flag,
    namespaced: flag,
    plugins: { type: "object" },
    projectName: text,
    repo: text,
    version: text,
    resources: {
      type: "array",
      items: {
        type: "object",
        required: ["kind", "version"],
        properties: {
          api: { type: "object", properties: { crdVersion: text, namespaced: flag, ssa: flag } },
          controller: flag,
          controllers: {
            type: "array",
            items: { type: "object", required: ["name"], properties: { name: text } },
          },
          core: flag,
          domain: text,
          external: flag,
          group: text,
          kind: text,
          module: text,
          path: text,
          plural: text,
          version: text,
          webhooks: {
            type: "object",
            properties: {
              conversion: flag,
              defaulting: flag,
              defaultingName: text,
              defaultingPath: text,
              spoke: { type: "array", items: text },
              validation: flag,
              validationName: text,
              validationPath: text,
              webhookVersion: text,
            },
          },
        },
      },
    },
  },
};
