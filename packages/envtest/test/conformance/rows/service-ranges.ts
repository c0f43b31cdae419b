import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";

const GROUP = "/apis/networking.k8s.io/v1";
const RANGE = "10.77.0.0/28";
const ADDRESS = "10.77.0.5";

export const SERVICE_RANGE_ROWS: readonly Row[] = [
  {
    row: 345,
    title: "addresses of Services are IPAddresses, and ServiceCIDRs add ranges that stay until they are free",
    needs: ["controllers"],
    run: async (tools) => {
      const { namespace, quietly, send, eventually, note, cleanUp } = tools;
      const services = `/api/v1/namespaces/${namespace}/services`;
      const createService = async (name: string, spec: Json): Promise<KubeObject> => {
        const body = { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
        return objectOf(await quietly({ method: "POST", path: services, body }));
      };
      const { spec = {} } = await createService("given", {});
      const given = `${GROUP}/ipaddresses/${String(spec["clusterIP"])}`;
      await noteAddress(tools, "of a service", given);
      await quietly({ method: "DELETE", path: given });
      await quietly({ method: "DELETE", path: `${services}/given` });
      note("without its service", (await eventually({ path: given }, ({ status }) => status === 404)).status);

      for (const name of ["300.1.1.1", "010.1.1.1", "FE80::1", "fe80:0::1", "::ffff:1.2.3.4"]) {
        const parentRef = { resource: "services", namespace, name: "x" };
        await send(`an address ${name}`, {
          method: "POST",
          path: `${GROUP}/ipaddresses`,
          body: { metadata: { name }, spec: { parentRef } },
        });
      }

      const outside = { clusterIP: ADDRESS };
      const refused = await quietly({
        method: "POST",
        path: services,
        body: { metadata: { name: "early" }, spec: { ports: [{ port: 80 }], ...outside } },
      });
      note("an address without a range", refused.status);
      const range = `${GROUP}/servicecidrs/${namespace}`;
      cleanUp(
        async () =>
          await quietly({
            method: "PATCH",
            path: range,
            body: { metadata: { finalizers: null } },
            contentType: "application/merge-patch+json",
          }),
      );
      cleanUp(async () => await quietly({ method: "DELETE", path: range }));
      await quietly({
        method: "POST",
        path: `${GROUP}/servicecidrs`,
        body: { metadata: { name: namespace }, spec: { cidrs: [RANGE] } },
      });
      await noteRange(tools, "ready", range, "True");
      // Servers notice new ranges after a while.
      await eventually(
        {
          method: "POST",
          path: services,
          body: { metadata: { name: "late" }, spec: { ports: [{ port: 80 }], ...outside } },
        },
        ({ status }) => status === 201,
      );
      await noteAddress(tools, "of the new range", `${GROUP}/ipaddresses/${ADDRESS}`);
      await quietly({ method: "DELETE", path: range });
      await noteRange(tools, "in use", range, "False");
      await quietly({ method: "DELETE", path: `${services}/late` });
      const gone = async (): Promise<number> =>
        (await eventually({ path: range }, ({ status }) => status === 404)).status;
      // Ranges stay for 10 seconds more.
      note("the free range", (await gone()) === 404 ? 404 : await gone());
    },
  },
];

async function noteAddress({ eventually, note }: RowContext, step: string, path: string): Promise<void> {
  const { metadata, spec } = objectOf(await eventually({ path }, ({ status }) => status === 200));
  const { name: _name, ...parent } = (spec?.["parentRef"] ?? {}) as Json;
  note(`the address ${step}`, { labels: metadata["labels"], finalizers: metadata["finalizers"], parent });
}

async function noteRange({ eventually, note }: RowContext, step: string, path: string, ready: string): Promise<void> {
  const conditionsOf = ({ status }: KubeObject): readonly Json[] => (status?.["conditions"] ?? []) as readonly Json[];
  const answer = await eventually({ path }, (each) => conditionsOf(objectOf(each))[0]?.["status"] === ready);
  const { metadata, spec } = objectOf(answer);
  note(`the range ${step}`, { finalizers: metadata["finalizers"], spec, conditions: conditionsOf(objectOf(answer)) });
}
