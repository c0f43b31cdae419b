import { objectOf, type Row, type RowContext } from "../row.ts";
import { claimPath, createClaim, createVolume, nameOf, noteClaim, noteEvents } from "./volumes.ts";

const MERGE = "application/merge-patch+json";

export const VOLUME_EXPANSION_ROWS: readonly Row[] = [
  {
    row: 430,
    title: "claims request more if their class allows it, and wait for a resizer",
    needs: ["controllers"],
    run: async (tools) => {
      await createClass(tools, "growing", true);
      await createClass(tools, "fixed", false);
      for (const name of ["growing", "fixed"]) {
        const storageClassName = nameOf(tools, name);
        await createVolume(tools, name, { storageClassName, capacity: { storage: "2Gi" } });
        await createClaim(tools, name, "1Gi", { storageClassName });
        await noteClaim(tools, name, "Bound");
      }
      await resize(tools, "fixed", "3Gi");
      await resize(tools, "growing", "2Gi");
      await resize(tools, "growing", "3Gi");
      await noteEvents(tools, "growing");
      await resize(tools, "growing", "1Gi");
    },
  },
];

async function createClass(tools: RowContext, name: string, allowVolumeExpansion: boolean): Promise<void> {
  const path = "/apis/storage.k8s.io/v1/storageclasses";
  const className = nameOf(tools, name);
  const body = { metadata: { name: className }, provisioner: "kubernetes.io/no-provisioner", allowVolumeExpansion };
  await tools.quietly({ method: "POST", path, body });
  tools.cleanUp(async () => tools.quietly({ method: "DELETE", path: `${path}/${className}` }));
}

async function resize(tools: RowContext, name: string, storage: string): Promise<void> {
  const body = { spec: { resources: { requests: { storage } } } };
  const answer = await tools.quietly({ method: "PATCH", path: claimPath(tools, name), body, contentType: MERGE });
  const { message, spec } = objectOf(answer) as {
    readonly message?: string;
    readonly spec?: { readonly resources?: object };
  };
  tools.note(`${name} requests ${storage}`, { status: answer.status, message, resources: spec?.resources });
}
