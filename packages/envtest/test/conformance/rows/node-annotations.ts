import type { Row, RowContext } from "../row.ts";

const TAINTS = "scheduler.alpha.kubernetes.io/taints";
const AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";

const TEXTS: readonly (readonly [annotation: string, text: string])[] = [
  [TAINTS, ""],
  [TAINTS, "a"],
  [TAINTS, "[]"],
  [TAINTS, "null"],
  [TAINTS, "{}"],
  [TAINTS, "[1]"],
  [TAINTS, "[null]"],
  [TAINTS, '[{"key":"a","effect":"NoSchedule"}]'],
  [
    TAINTS,
    '[{"Key":"a b","Value":"-","Effect":"Other"},{"key":"a","effect":"NoSchedule"},{"key":"a","effect":"NoSchedule"}]',
  ],
  [TAINTS, '[{"key":1}]'],
  [AVOIDED, ""],
  [AVOIDED, "{"],
  [AVOIDED, "[]"],
  [AVOIDED, "null"],
  [AVOIDED, "{}"],
  [AVOIDED, '{"preferAvoidPods":1}'],
  [AVOIDED, '{"preferAvoidPods":[1]}'],
  [AVOIDED, '{"preferAvoidPods":[{}]}'],
  [AVOIDED, '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":true}}}]}'],
  [AVOIDED, '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":false}}}]}'],
];

export const NODE_ANNOTATION_ROWS: readonly Row[] = [
  {
    row: 499,
    title: "annotations of Nodes that mean something are validated",
    run: async (context) => {
      const { quietly, cleanUp } = context;
      await quietly({ method: "POST", path: "/api/v1/nodes", body: { metadata: { name: "row-499" } } });
      cleanUp(() => quietly({ method: "DELETE", path: "/api/v1/nodes/row-499" }));
      for (const [annotation, text] of TEXTS) {
        const metadata = { name: "new", annotations: { [annotation]: text } };
        await noteCauses(context, `${annotation} ${text}`, "POST", "/api/v1/nodes?dryRun=All", { metadata });
        await noteCauses(context, `${annotation} ${text}, changed`, "PATCH", "/api/v1/nodes/row-499?dryRun=All", {
          metadata: { annotations: metadata.annotations },
        });
        await noteCauses(
          context,
          `${annotation} ${text}, with the status`,
          "PATCH",
          "/api/v1/nodes/row-499/status?dryRun=All",
          { metadata: { annotations: metadata.annotations } },
        );
      }
    },
  },
  {
    row: 500,
    title: "new Pods get what their annotations and label keys mean",
    run: async ({ namespace, quietly, note }) => {
      const key = "container.apparmor.security.beta.kubernetes.io/main";
      const terms = [
        {
          topologyKey: "a",
          labelSelector: { matchLabels: { x: "y" } },
          matchLabelKeys: ["app", "none"],
          mismatchLabelKeys: ["tier"],
        },
        {
          topologyKey: "a",
          labelSelector: { matchExpressions: [{ key: "x", operator: "Exists" }] },
          matchLabelKeys: ["app"],
        },
        { topologyKey: "a", labelSelector: {}, mismatchLabelKeys: ["tier"] },
      ];
      const affinity = {
        requiredDuringSchedulingIgnoredDuringExecution: terms,
        preferredDuringSchedulingIgnoredDuringExecution: terms.map((podAffinityTerm) => ({
          weight: 1,
          podAffinityTerm,
        })),
      };
      const spread = { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" };
      const labels = { app: "a", tier: "b" };
      for (const profile of ["unconfined", "runtime/default", "localhost/a", "localhost/"]) {
        for (const appArmorProfile of [undefined, { type: "Unconfined" }]) {
          const answer = await quietly({
            method: "POST",
            path: `/api/v1/namespaces/${namespace}/pods?dryRun=All`,
            body: {
              metadata: { name: "a", labels, annotations: { [key]: profile } },
              spec: {
                securityContext: { appArmorProfile },
                containers: [
                  { name: "main", image: "main:1" },
                  { name: "side", image: "main:1" },
                ],
                affinity: { podAffinity: affinity, podAntiAffinity: affinity },
                topologySpreadConstraints: [
                  { ...spread, labelSelector: {}, matchLabelKeys: ["app", "none"] },
                  {
                    ...spread,
                    whenUnsatisfiable: "ScheduleAnyway",
                    labelSelector: { matchLabels: { x: "y" } },
                    matchLabelKeys: ["tier"],
                  },
                ],
              },
            },
          });
          const { spec, message } = answer.body as {
            readonly spec?: Record<string, unknown>;
            readonly message?: string;
          };
          const containers = (spec?.["containers"] as readonly Record<string, unknown>[] | undefined)?.map(
            ({ securityContext }) => securityContext ?? null,
          );
          note(`${profile} ${appArmorProfile === undefined ? "alone" : "with a profile of the Pod"}`, {
            code: answer.status,
            message,
            containers,
            affinity: spec?.["affinity"],
            constraints: spec?.["topologySpreadConstraints"],
          });
        }
      }
    },
  },
];

async function noteCauses(
  { quietly, note }: RowContext,
  title: string,
  method: "POST" | "PATCH",
  path: string,
  body: unknown,
): Promise<void> {
  const contentType = method === "POST" ? "application/json" : "application/merge-patch+json";
  const answer = await quietly({ method, path, body, contentType });
  const { details } = answer.body as { readonly details?: { readonly causes?: unknown } };
  note(title, { code: answer.status, causes: details?.causes });
}
