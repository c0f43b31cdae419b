/** Where quotas are stored and served. */
export const RESOURCE_QUOTAS = { group: "", version: "v1", resource: "resourcequotas" } as const;
