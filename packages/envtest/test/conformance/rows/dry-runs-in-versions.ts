import type { Answer, Call, Json, Row, RowContext } from "../row.ts";
import { objectOf } from "../row.ts";
import { device, deviceCrd, installConverted, pathsOf } from "./converted-devices.ts";
import { installCrd } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";

/** Rows about dry runs through a version that is not stored. */
export const DRY_RUN_VERSION_ROWS: readonly Row[] = [
  {
    row: 706,
    title: "a dry run through a version that is not stored drops what the stored version lacks",
    run: async (context) => {
      const group = "row706.example.com";
      await installCrd(context, deviceCrd(group, { strategy: "None" }));
      const path = pathsOf(group, context.namespace);
      await context.eventually({ path: path("v2") }, ({ status }) => status === 200);
      await dryRuns(context, group);
    },
  },
  {
    row: 707,
    title: "a dry run through a version that is not stored shows what a webhook converts to it and back",
    run: async (context) => {
      const group = "row707.example.com";
      const { path, takeCalls } = await installConverted(context, group, {
        answers: {
          failure: (right) => ({ ...right, result: { status: "Failure", message: "cannot be converted" } }),
        },
      });
      await dryRuns(context, group);
      const failing = { method: "POST", path: path("v2"), body: device(group, "v2", "failure") } as const;
      await context.send("create through a failing webhook", dry(failing));
      takeCalls();
      await context.quietly(dry({ method: "POST", path: path("v2"), body: device(group, "v2", "counted") }));
      const versions = takeCalls().map(({ review }) => review.request["desiredAPIVersion"]);
      context.note("conversions of a create", [...new Set(versions)]);
    },
  },
];

async function dryRuns(context: RowContext, group: string): Promise<void> {
  const path = pathsOf(group, context.namespace);
  for (const [name, metadata] of Object.entries(STORED)) {
    const object = device(group, "v1", name);
    const body = { ...object, metadata: { ...(object["metadata"] as Json), ...metadata } };
    await context.quietly({ method: "POST", path: path("v1"), body });
  }
  for (const version of ["v1", "v2"]) await dryRunsOf(context, group, version);
  await context.send("what is stored", { path: path("v1") });
  const patch = { method: "PATCH", path: path("v2", "plain"), body: {}, contentType: MERGE } as const;
  for (const step of ["a patch without a change", "a second patch without a change"]) await context.send(step, patch);
}

const STORED: Readonly<Record<string, Json>> = { plain: {}, held: { finalizers: ["example.com/hold"] } };

async function dryRunsOf(context: RowContext, group: string, version: string): Promise<void> {
  const { send, quietly, namespace } = context;
  const path = pathsOf(group, namespace);
  const run = async (step: string, call: Call): Promise<Answer> => await send(`${step} in ${version}`, dry(call));
  const one = path(version, "plain");
  const merge = (body: Json, subresource = ""): Call => ({
    method: "PATCH",
    path: `${one}${subresource}`,
    body,
    contentType: MERGE,
  });
  const apply = (name: string, body: Json): Call => ({
    method: "PATCH",
    path: `${path(version, name)}?fieldManager=row`,
    body: { apiVersion: `${group}/${version}`, kind: "Device", metadata: { name }, ...body },
    contentType: APPLY,
  });
  const field = version === "v1" ? { host: "new" } : { address: "new:9", extra: "own" };
  await run("create", { method: "POST", path: path(version), body: device(group, version, "made") });
  const generated = device(group, version, "");
  const metadata = { generateName: "made-" };
  await run("create with a generated name", { method: "POST", path: path(version), body: { ...generated, metadata } });
  const found = objectOf(await quietly({ path: one }));
  await run("update", { method: "PUT", path: one, body: { ...found, spec: { ...found.spec, ...field } } });
  await run("update without a change", { method: "PUT", path: one, body: found });
  await run("merge patch", merge({ spec: { ...field, unknown: 1 } }));
  await run("merge patch without a change", merge({}));
  const operations = [{ op: "add", path: "/spec", value: field }];
  await run("JSON patch", {
    method: "PATCH",
    path: one,
    body: operations,
    contentType: "application/json-patch+json",
  });
  await run("apply", apply("plain", { spec: field }));
  await run("apply of a new object", apply("applied", { spec: field }));
  await run("status", merge({ status: { ready: true, replicas: 3 } }, "/status"));
  await run("apply of a status", {
    ...apply("plain", { status: { ready: true } }),
    path: `${one}/status?fieldManager=row`,
  });
  await run("scale", merge({ spec: { replicas: 7 } }, "/scale"));
  await run("delete", { method: "DELETE", path: one });
  const held = path(version, "held");
  await run("delete of a held object", { method: "DELETE", path: held });
  await run("release of a held object", { ...merge({ metadata: { finalizers: null } }), path: held });
  await run("delete of the collection", { method: "DELETE", path: path(version) });
}

function dry(call: Call): Call {
  return { ...call, path: `${call.path}${call.path.includes("?") ? "&" : "?"}dryRun=All` };
}
