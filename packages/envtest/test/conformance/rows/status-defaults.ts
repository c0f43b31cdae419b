import { objectOf, type Json, type Row } from "../row.ts";
import { installCrd } from "./install-crd.ts";

const GROUP = "row177.example.com";
const MERGE = "application/merge-patch+json";

export const STATUS_DEFAULT_ROWS: readonly Row[] = [
  {
    row: 177,
    title: "defaults of the status are set when an object is created, changed, and read",
    run: async (context) => {
      const { namespace, send, watch, note } = context;
      for (const [kind, more] of [
        ["Inner", {}],
        ["Outer", { default: { phase: "Whole" } }],
      ] as const) {
        const plural = `${kind.toLowerCase()}s`;
        const phase = { type: "string", default: "New" };
        const status = { type: "object", properties: { phase, count: { type: "integer" } }, ...more };
        const schema = {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { a: { type: "string" } } }, status },
          },
        };
        const version = { name: "v1", served: true, storage: true, subresources: { status: {} }, schema };
        await installCrd(context, {
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "CustomResourceDefinition",
          metadata: { name: `${plural}.${GROUP}` },
          spec: { group: GROUP, scope: "Namespaced", names: { kind, plural }, versions: [version] },
        });
        const path = `/apis/${GROUP}/v1/namespaces/${namespace}/${plural}`;
        const stream = await watch(`${path}?watch=true`);
        const body = (name: string, status?: Json): Json => ({
          apiVersion: `${GROUP}/v1`,
          kind,
          metadata: { name },
          ...(status === undefined ? {} : { status }),
        });
        await send(`${kind}: create`, { method: "POST", path, body: body("a") });
        await send(`${kind}: create with a status`, {
          method: "POST",
          path,
          body: body("b", { phase: "Mine", count: 1 }),
        });
        await send(`${kind}: get`, { path: `${path}/a` });
        await send(`${kind}: change`, {
          method: "PATCH",
          path: `${path}/a`,
          body: { spec: { a: "x" } },
          contentType: MERGE,
        });
        await send(`${kind}: status`, {
          method: "PATCH",
          path: `${path}/a/status`,
          body: { status: { count: 2 } },
          contentType: MERGE,
        });
        await send(`${kind}: status without a phase`, {
          method: "PATCH",
          path: `${path}/a/status`,
          body: { status: null },
          contentType: MERGE,
        });
        await send(`${kind}: get again`, { path: `${path}/a` });
        const events = await stream.take(5);
        note(
          `${kind}: events`,
          events.map(({ type, object }) => ({ type, status: objectOf({ body: object } as never).status })),
        );
      }
    },
  },
];
