import { writeFile } from "node:fs/promises";
import path from "node:path";

import type { FlagRow } from "../flag-row.ts";
import type { Json } from "../row.ts";

// No token comes back while the row runs.
const CONFIGURATION = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: EventRateLimit
    configuration:
      apiVersion: eventratelimit.admission.k8s.io/v1alpha1
      kind: Configuration
      limits:
        - { type: Namespace, qps: 1, burst: 3 }
        - { type: SourceAndObject, qps: 1, burst: 1, cacheSize: 20 }
        - { type: User, qps: 1, burst: 50 }
`;

export const EVENT_RATE_LIMIT_ROWS: readonly FlagRow[] = [
  {
    row: 454,
    title: "EventRateLimit refuses events beyond the limits of its configuration",
    flags: async (folder) => {
      const file = path.join(folder, "admission.yaml");
      await writeFile(file, CONFIGURATION);
      return ["--enable-admission-plugins=EventRateLimit", `--admission-control-config-file=${file}`];
    },
    run: async ({ namespace, send }) => {
      const event = (name: string, about: string): Json => ({
        apiVersion: "v1",
        kind: "Event",
        metadata: { name },
        involvedObject: { kind: "Pod", namespace, name: about, apiVersion: "v1" },
        source: { component: "test", host: "host" },
      });
      const create = async (step: string, body: Json, query: string = ""): Promise<void> => {
        const events = `/api/v1/namespaces/${namespace}/events${query}`;
        await send(step, { method: "POST", path: events, body });
      };
      await create("an event", event("a", "web"));
      await create("another one about the same object", event("b", "web"));
      await create("a dry run", event("c", "web"), "?dryRun=All");
      await create("one about another object", event("d", "db"));
      await create("one beyond the limit of the namespace", event("e", "cache"));
      await create("one beyond two limits", event("f", "web"));
      await send("an event of events.k8s.io", {
        method: "POST",
        path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
        body: {
          apiVersion: "events.k8s.io/v1",
          kind: "Event",
          metadata: { name: "g" },
          eventTime: "2026-01-01T00:00:00.000000Z",
          reportingController: "example.com/test",
          reportingInstance: "test-0",
          action: "Test",
          reason: "Test",
          type: "Normal",
          regarding: { kind: "Pod", namespace, name: "web" },
        },
      });
      await send("another kind", {
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/configmaps`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } },
      });
    },
  },
];
