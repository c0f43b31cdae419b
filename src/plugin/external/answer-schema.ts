const text = { type: "string" } as const;

/** The JSON schema of what an external plugin prints; keys it does not name are allowed. */
export const ANSWER_SCHEMA: object = {
  type: "object",
  properties: {
    apiVersion: text,
    command: text,
    error: { type: "boolean" },
    errorMsgs: { type: ["array", "null"], items: text },
    universe: { type: ["object", "null"], additionalProperties: text },
    metadata: { type: ["object", "null"], properties: { description: text, examples: text } },
    flags: {
      type: ["array", "null"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: text, type: text, default: text, usage: text },
      },
    },
  },
};
