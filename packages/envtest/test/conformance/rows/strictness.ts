import type { Row } from "../row.ts";

const APPLY = "application/apply-patch+yaml";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

const TWICE = `apiVersion: v1
kind: ConfigMap
metadata:
  name: twice
data:
  color: red
  color: blue
  size: small
  "size": large
`;

/** Rows about what servers do not let pass. */
export const STRICTNESS_ROWS: readonly Row[] = [
  {
    row: 380,
    title: "keys that an apply states twice are refused, reported, or ignored, and the last one holds",
    run: async ({ namespace, send }) => {
      const path = `/api/v1/namespaces/${namespace}/configmaps/twice`;
      for (const level of ["Strict", "Warn", "Ignore"]) {
        await send(level, {
          method: "PATCH",
          path: `${path}?fieldManager=row&fieldValidation=${level}`,
          text: TWICE,
          contentType: APPLY,
        });
      }
    },
  },
  {
    row: 381,
    title: "a review is no row of a table",
    run: async ({ send }) => {
      const spec = { nonResourceAttributes: { path: "/", verb: "get" } };
      const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", metadata: {}, spec };
      await send("as a table", { method: "POST", path: REVIEWS, body, headers: { accept: TABLE } });
      const either = { accept: `${TABLE},application/json` };
      await send("as a table or as it is", { method: "POST", path: REVIEWS, body, headers: either });
    },
  },
];
