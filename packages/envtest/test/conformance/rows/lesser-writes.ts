import type { Row } from "../row.ts";

const MERGE = "application/merge-patch+json";
const SIGNING = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

// An ECDSA request for the common name "row".
const REQUEST =
  "-----BEGIN CERTIFICATE REQUEST-----\nMIHIMHACAQAwDjEMMAoGA1UEAwwDcm93MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD\nQgAEwkV7tcVAbp6l7nbFRdoMYyRRrbFfucSkJ0Eljq+BJ+wY0Sqq0wddfJ4YytEc\n7x1EhVtX1e+aj1ovU/mxAkzIF6AAMAoGCCqGSM49BAMCA0gAMEUCIQDP90Tg6/aw\noSyRttMlb4ly4PLgpFRWUVDnAICQq7PGbAIgfMY9G0ZuNCyGT+G3YL+p+DF/DMxH\nlmoFQeECX3nGx5Q=\n-----END CERTIFICATE REQUEST-----\n";

export const LESSER_WRITE_ROWS: readonly Row[] = [
  {
    row: 174,
    title: "a pod that is deleted without grace is marked before it is gone",
    run: async ({ namespace, quietly, watch, note }) => {
      const path = `/api/v1/namespaces/${namespace}/pods`;
      const spec = { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
      for (const [name, options] of [
        ["unscheduled", {}],
        ["forced", { gracePeriodSeconds: 0 }],
      ] as const) {
        await quietly({ method: "POST", path, body: { apiVersion: "v1", kind: "Pod", metadata: { name }, spec } });
        const stream = await watch(`${path}?watch=true&fieldSelector=metadata.name=${name}`);
        await stream.take(1);
        await quietly({ method: "DELETE", path: `${path}/${name}`, body: options });
        const events = (await stream.take(2)).map(({ type, object }) => {
          const { deletionTimestamp, deletionGracePeriodSeconds, generation } = (
            object as { readonly metadata: Record<string, unknown> }
          ).metadata;
          return { type, isMarked: typeof deletionTimestamp, deletionGracePeriodSeconds, generation };
        });
        note(name, events);
      }
    },
  },
  {
    row: 175,
    title: "approving a certificate signing request changes its conditions alone",
    run: async ({ namespace, note, quietly, cleanUp }) => {
      const name = namespace;
      const body = {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: {
          request: Buffer.from(REQUEST).toString("base64"),
          signerName: "example.com/row",
          usages: ["client auth"],
        },
      };
      cleanUp(() => quietly({ method: "DELETE", path: `${SIGNING}/${name}` }));
      await quietly({ method: "POST", path: SIGNING, body });
      const condition = { type: "Approved", status: "True", reason: "Row", message: "ok" };
      const approval = { status: { conditions: [condition] }, metadata: { labels: { a: "b" } } };
      const approved = await quietly({
        method: "PATCH",
        path: `${SIGNING}/${name}/approval`,
        body: approval,
        contentType: MERGE,
      });
      for (const [step, answer] of [
        ["the answer", approved],
        ["what is stored", await quietly({ path: `${SIGNING}/${name}` })],
      ] as const) {
        const { metadata, spec, status } = answer.body as {
          readonly metadata: { readonly labels: unknown };
          readonly spec: { readonly username: unknown };
          readonly status: { readonly conditions: readonly Record<string, unknown>[] };
        };
        // The administrators of the targets have different names.
        const conditions = status.conditions.map((each) => ({
          ...each,
          lastUpdateTime: typeof each["lastUpdateTime"],
          lastTransitionTime: typeof each["lastTransitionTime"],
        }));
        note(step, { code: answer.status, labels: metadata.labels, username: typeof spec.username, conditions });
      }
    },
  },
  {
    row: 176,
    title: "storage classes and indexed jobs have fields that may change",
    run: async ({ namespace, send, quietly, cleanUp }) => {
      const classes = "/apis/storage.k8s.io/v1/storageclasses";
      cleanUp(() => quietly({ method: "DELETE", path: `${classes}/${namespace}` }));
      const storage = {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: namespace },
        provisioner: "p",
        parameters: { a: "1" },
      };
      await quietly({ method: "POST", path: classes, body: storage });
      for (const change of [
        { parameters: { a: "2" } },
        { provisioner: "q" },
        { reclaimPolicy: "Retain" },
        { volumeBindingMode: "WaitForFirstConsumer" },
        { allowVolumeExpansion: true },
        { mountOptions: ["ro"] },
      ]) {
        await send(`storage class ${JSON.stringify(change)}`, {
          method: "PATCH",
          path: `${classes}/${namespace}`,
          body: change,
          contentType: MERGE,
        });
      }
      const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
      // The job controller of a real control plane leaves objects alone that others manage, so the recorded status stays empty.
      const managedBy = "example.com/test";
      const template = {
        spec: { restartPolicy: "Never", schedulerName: "none", containers: [{ name: "main", image: "main:1" }] },
      };
      for (const [name, spec] of [
        ["indexed", { completionMode: "Indexed", completions: 2, parallelism: 2, suspend: true }],
        ["plain", { completions: 2, parallelism: 2, suspend: true }],
      ] as const) {
        await quietly({
          method: "POST",
          path: jobs,
          body: { apiVersion: "batch/v1", kind: "Job", metadata: { name }, spec: { ...spec, managedBy, template } },
        });
        for (const change of [
          { completions: 3, parallelism: 3 },
          { completions: 4 },
          { parallelism: 1 },
          { completions: null },
        ]) {
          await send(`${name} job ${JSON.stringify(change)}`, {
            method: "PATCH",
            path: `${jobs}/${name}?dryRun=All`,
            body: { spec: change },
            contentType: MERGE,
          });
        }
      }
    },
  },
];
