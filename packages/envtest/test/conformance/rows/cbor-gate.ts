import { cborNotation } from "../cbor-notation.ts";
import type { FlagRow } from "../flag-row.ts";
import { crd, deployment, GROUP, pathOf, SHARED_CRDS, widget } from "../kinds.ts";
import { type KubeObject, type Json, objectOf, type RowContext } from "../row.ts";
import { transportOf } from "../transport.ts";

const CBOR = "application/cbor";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const flags = async (): Promise<readonly string[]> =>
  await Promise.resolve(["--feature-gates=CBORServingAndStorage=true"]);

/** A call whose answer is noted item by item. */
interface CborCall {
  readonly path: string;
  readonly method?: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rows about servers that read and answer CBOR. */
export const CBOR_GATE_ROWS: readonly FlagRow[] = [
  {
    row: 475,
    title: "objects, lists, tables, metadata, discovery, and failures are answered in CBOR",
    flags,
    run: async (tools) => {
      await createDefinitions(tools);
      const { namespace, quietly } = tools;
      const secrets = `/api/v1/namespaces/${namespace}/secrets`;
      const widgets = pathOf("widgets", namespace);
      const create = async (path: string, body: object): Promise<unknown> =>
        await quietly({ method: "POST", path, body });
      await create(secrets, { ...objectNamed("Secret", "bytes"), data: { a: "AAH/", empty: "" }, type: "Opaque" });
      await create(widgets, { ...widget("first"), spec: { size: 3, image: "ä€😀" } });
      await create(pathOf("gadgets", namespace), {
        apiVersion: `${GROUP}/v1`,
        kind: "Gadget",
        metadata: { name: "numbers" },
        spec: { title: "ok", ratio: 1.5, port: 80, free: { half: 0.5, third: 0.1, big: 1e300, list: [], none: null } },
      });
      await create(DEFINITIONS, NUMBERS);
      await create(pathOf("deployments", namespace), deployment("web"));
      for (const [step, call] of Object.entries(readCalls(namespace))) await sendCbor(tools, step, call);
    },
  },
  {
    row: 476,
    title: "bodies are read in CBOR",
    flags,
    run: async (tools) => {
      await createDefinitions(tools);
      for (const [step, call] of Object.entries(bodyCalls(tools.namespace))) await sendCbor(tools, step, call);
    },
  },
  {
    row: 477,
    title: "bodies that are not valid CBOR, or that have other values than JSON, are refused",
    flags,
    run: async (tools) => {
      await createDefinitions(tools);
      const { namespace } = tools;
      const targets = { "a ConfigMap": pathOf("configmaps", namespace), "a widget": pathOf("widgets", namespace) };
      for (const [what, path] of Object.entries(targets)) {
        for (const [step, body] of Object.entries(badBodies(what === "a widget" ? "custom" : "built-in"))) {
          const query = step.includes("strictly") ? "?dryRun=All&fieldValidation=Strict" : "?dryRun=All";
          await sendCbor(tools, `${what}: ${step}`, { method: "POST", path: path + query, body });
        }
      }
      const applied = `${pathOf("configmaps", namespace)}/applied?fieldManager=me&dryRun=All`;
      for (const [step, body] of Object.entries(badBodies("applied"))) {
        const contentType = "application/apply-patch+cbor";
        await sendCbor(tools, `an apply: ${step}`, { method: "PATCH", path: applied, body, contentType });
      }
    },
  },
  {
    row: 478,
    title: "watches are sequences of CBOR",
    flags,
    run: async (tools) => {
      await createDefinitions(tools);
      const { namespace, quietly } = tools;
      const secrets = `/api/v1/namespaces/${namespace}/secrets`;
      await quietly({ method: "POST", path: secrets, body: { ...objectNamed("Secret", "a"), data: { k: "AQI=" } } });
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("a") });
      const as = (kind: string): string => `${CBOR};as=${kind};v=v1;g=meta.k8s.io`;
      const calls: Readonly<Record<string, readonly [string, string]>> = {
        "Secrets as CBOR": [secrets, CBOR],
        "Secrets as a sequence": [secrets, `${CBOR}-seq`],
        "Secrets as either": [secrets, `${CBOR}-seq, ${CBOR}`],
        "Secrets as CBOR or JSON": [secrets, `${CBOR}, application/json`],
        "widgets as CBOR": [pathOf("widgets", namespace), CBOR],
        "widgets as a sequence": [pathOf("widgets", namespace), `${CBOR}-seq`],
        "metadata of Secrets": [secrets, as("PartialObjectMetadata")],
        "a table of Secrets": [secrets, as("Table")],
        "a table of widgets": [pathOf("widgets", namespace), as("Table")],
      };
      for (const [step, [path, accept]] of Object.entries(calls)) {
        const query = `${path.includes("?") ? "&" : "?"}watch=1&timeoutSeconds=1`;
        await sendCbor(tools, step, { path: path + query, accept });
      }
    },
  },
];

const NUMBERS: Json = crd({
  group: "numbers.example.com",
  kind: "Number",
  schema: {
    spec: {
      type: "object",
      properties: {
        ratio: { type: "number", minimum: 1, maximum: 100, multipleOf: 0.5 },
        count: { type: "integer", default: 3, maximum: 9_007_199_254_740_991 },
        list: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] },
        map: { type: "object", additionalProperties: { type: "number", minimum: 0.1 } },
      },
    },
  },
});

async function createDefinitions({ quietly, eventually }: RowContext): Promise<void> {
  for (const body of SHARED_CRDS) {
    await quietly({ method: "POST", path: DEFINITIONS, body });
    const { metadata } = body as unknown as KubeObject;
    await eventually({ path: `${DEFINITIONS}/${metadata.name}` }, (answer) => isEstablished(objectOf(answer)));
    const [plural = ""] = metadata.name.split(".");
    await eventually({ path: pathOf(plural, "default") }, ({ status }) => status === 200);
    // The reference serves a definition some time before its handler accepts writes.
    const probe = { apiVersion: `${GROUP}/v1`, kind: (body["spec"] as { names: { kind: string } }).names.kind };
    const create = {
      method: "POST",
      path: `${pathOf(plural, "default")}?dryRun=All`,
      body: { ...probe, metadata: { name: "probe" }, spec: { title: "ok" } },
    } as const;
    await eventually(create, ({ status }) => status === 201);
  }
}

function isEstablished({ status }: KubeObject): boolean {
  const conditions = (status?.["conditions"] ?? []) as readonly { readonly type: string; readonly status: string }[];
  return conditions.some(({ type, status: value }) => type === "Established" && value === "True");
}

function readCalls(namespace: string): Readonly<Record<string, CborCall>> {
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const widgets = pathOf("widgets", namespace);
  const as = (kind: string): string => `${CBOR};as=${kind};v=v1;g=meta.k8s.io`;
  const aggregated = (type: string): string => `${type};as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io`;
  return {
    "a Secret": { path: `${secrets}/bytes` },
    "a list of Secrets": { path: secrets },
    "an empty list": { path: pathOf("podtemplates", namespace) },
    "a widget": { path: `${widgets}/first` },
    "a list of widgets": { path: widgets },
    "a gadget with numbers": { path: `${pathOf("gadgets", namespace)}/numbers` },
    "a definition with numbers": { path: `${DEFINITIONS}/numbers.numbers.example.com` },
    "a Deployment": { path: `${pathOf("deployments", namespace)}/web` },
    "the scale of a Deployment": { path: `${pathOf("deployments", namespace)}/web/scale` },
    "a missing object": { path: `${secrets}/none` },
    "a missing widget": { path: `${widgets}/none` },
    "a missing path": { path: "/apis/none" },
    "a table of Secrets": { path: secrets, accept: as("Table") },
    "a table with objects": { path: `${secrets}?includeObject=Object`, accept: as("Table") },
    "a table of widgets": { path: widgets, accept: as("Table") },
    "metadata of a Secret": { path: `${secrets}/bytes`, accept: as("PartialObjectMetadata") },
    "metadata of Secrets": { path: secrets, accept: as("PartialObjectMetadataList") },
    "metadata of widgets": { path: widgets, accept: as("PartialObjectMetadataList") },
    "resources of a group": { path: "/apis/policy/v1" },
    "resources of a group of definitions": { path: `/apis/${GROUP}/v1` },
    "a group": { path: "/apis/policy" },
    "a group of definitions": { path: `/apis/${GROUP}` },
    versions: { path: "/api" },
    "aggregated discovery": { path: "/api", accept: aggregated(CBOR) },
    "aggregated discovery or JSON": { path: "/api", accept: `${aggregated(CBOR)}, application/json` },
    "the version": { path: "/version" },
    health: { path: "/healthz" },
    groups: { path: "/apis" },
    "metadata of a missing object": { path: `${secrets}/none`, accept: as("PartialObjectMetadata") },
    "a list as a sequence": { path: secrets, accept: `${CBOR}-seq` },
    "an object as a sequence": { path: `${secrets}/bytes`, accept: `${CBOR}-seq` },
    "a list of widgets as a sequence": { path: widgets, accept: `${CBOR}-seq` },
    "a forbidden object": { path: `${secrets}/bytes`, headers: { "impersonate-user": "nobody" } },
    "a forbidden path": { path: "/metrics", headers: { "impersonate-user": "nobody" } },
    "a wrong impersonation": { path: secrets, headers: { "impersonate-group": "nobodies" } },
    "a wrong timeout": { path: `${secrets}?timeout=x` },
    "a wrong method": { path: `${secrets}/bytes`, method: "POST" },
    "a wrong selector": { path: `${secrets}?labelSelector=!!` },
    "an unknown resource": { path: `/api/v1/namespaces/${namespace}/nones` },
    "an unknown type": { path: secrets, accept: "text/plain" },
    "widgets as an unknown type": { path: widgets, accept: "text/plain" },
    "widgets as protobuf": { path: widgets, accept: "application/vnd.kubernetes.protobuf" },
    "protobuf or CBOR": { path: widgets, accept: `application/vnd.kubernetes.protobuf, ${CBOR}` },
    "CBOR before JSON": { path: secrets, accept: `application/json;q=0.5, ${CBOR}` },
  };
}

function objectNamed(kind: string, name: string): Json {
  return { apiVersion: "v1", kind, metadata: { name } };
}

const SELF_DESCRIBED = "d9d9f7";

const text = (value: string): string => {
  const bytes = Buffer.from(value);
  return head(3, bytes.length) + bytes.toString("hex");
};
const bytes = (value: string | Buffer): string => {
  const buffer = Buffer.from(value as string);
  return head(2, buffer.length) + buffer.toString("hex");
};

function head(major: number, argument: number): string {
  const first = major << 5;
  if (argument < 24) return (first + argument).toString(16).padStart(2, "0");
  if (argument < 0x1_00) return (first + 24).toString(16) + argument.toString(16).padStart(2, "0");
  return (first + 25).toString(16) + argument.toString(16).padStart(4, "0");
}

/** Data items as hexadecimal digits. */
type Hex = string;

const map = (...entries: readonly (readonly [Hex, Hex])[]): Hex =>
  head(5, entries.length) + entries.map(([key, value]) => key + value).join("");
const array = (...items: readonly Hex[]): Hex => head(4, items.length) + items.join("");
const field = (name: string, value: Hex): readonly [Hex, Hex] => [text(name), value];
const named = (name: string): readonly [Hex, Hex] => field("metadata", map(field("name", text(name))));
const typed = (apiVersion: string, kind: string): readonly (readonly [Hex, Hex])[] => [
  field("apiVersion", text(apiVersion)),
  field("kind", text(kind)),
];
const hex = (digits: Hex): Uint8Array => Buffer.from(digits, "hex");

function bodyCalls(namespace: string): Readonly<Record<string, CborCall>> {
  const configMaps = pathOf("configmaps", namespace);
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const widgets = pathOf("widgets", namespace);
  const gadgets = pathOf("gadgets", namespace);
  const post = (path: string, digits: Hex): CborCall => ({ method: "POST", path, body: hex(digits) });
  const configMap = (name: string, data: Hex): Hex =>
    map(...typed("v1", "ConfigMap"), named(name), field("data", data));
  const secret = (name: string, value: Hex): Hex =>
    map(...typed("v1", "Secret"), named(name), field("data", map(field("k", value))));
  const gadgetOf = (name: string, ...spec: readonly (readonly [Hex, Hex])[]): Hex =>
    map(...typed(`${GROUP}/v1`, "Gadget"), named(name), field("spec", map(field("title", text("ok")), ...spec)));
  const free = (value: Hex): readonly [Hex, Hex] => field("free", map(field("value", value)));
  const apply = { method: "PATCH", contentType: "application/apply-patch+cbor" } as const;
  return {
    texts: post(configMaps, configMap("texts", map(field("a", text("ä"))))),
    "self-described": post(configMaps, SELF_DESCRIBED + configMap("marked", map(field("a", text("b"))))),
    "byte strings": post(
      configMaps,
      map(
        [bytes("apiVersion"), bytes("v1")],
        [bytes("kind"), bytes("ConfigMap")],
        [bytes("metadata"), map([bytes("name"), bytes("bytes")])],
      ),
    ),
    "no kind": post(configMaps, map(named("no-kind"))),
    "no version": post(configMaps, map(field("kind", text("ConfigMap")), named("no-version"))),
    "an unknown kind": post(configMaps, map(...typed("v1", "None"), named("another"))),
    null: post(configMaps, "f6"),
    "unknown lengths": post(configMaps, `bf${text("metadata")}bf${text("name")}7f${text("un")}${text("known")}ffffff`),
    "bytes with a tag": post(secrets, secret("tagged", `d6${bytes(Buffer.from([0, 255]))}`)),
    "bytes with another tag": post(secrets, secret("tagged-url", `d5${bytes(Buffer.from([0, 255]))}`)),
    "bytes in base64": post(secrets, secret("base64", bytes("AP8="))),
    "a text in base64": post(secrets, secret("base64-text", text("AP8="))),
    "bytes that are not base64": post(secrets, secret("not-base64", bytes("***"))),
    "a text that is not base64": post(secrets, secret("not-base64", text("***"))),
    "a widget": post(
      widgets,
      map(...typed(`${GROUP}/v1`, "Widget"), named("w"), field("spec", map(field("size", "03")))),
    ),
    "a widget without a kind": post(widgets, map(named("w"))),
    "a widget without a version": post(widgets, map(field("kind", text("Widget")), named("w"))),
    "a widget of another kind": post(widgets, map(...typed(`${GROUP}/v1`, "Gadget"), named("w"))),
    "a widget that is null": post(widgets, "f6"),
    "bytes in a gadget": post(gadgets, gadgetOf("bytes", free(`d6${bytes(Buffer.from([0, 255]))}`))),
    "bytes for base64url": post(gadgets, gadgetOf("base64url", free(`d5${bytes(Buffer.from([0, 255]))}`))),
    "bytes for base16": post(gadgets, gadgetOf("base16", free(`d7${bytes(Buffer.from([0, 255]))}`))),
    "tagged bytes in a list": post(gadgets, gadgetOf("listed", free(`d6${array(bytes("a"), text("b"))}`))),
    "a time of seconds": post(gadgets, gadgetOf("seconds", free("c11a65546b00"))),
    "a time of a float": post(gadgets, gadgetOf("fraction", free("c1fb41d95542c0200000"))),
    "a time of a text": post(gadgets, gadgetOf("time", free(`c0${text("2023-11-15T00:00:00.500+01:00")}`))),
    "an unknown tag": post(gadgets, gadgetOf("tag", free(`d86401`))),
    "large integers": post(
      gadgets,
      gadgetOf("large", free(array("1b7fffffffffffffff", "3b7fffffffffffffff", "1b0020000000000001"))),
    ),
    floats: post(gadgets, gadgetOf("floats", free(array("f93800", "fa3dcccccd", "fb3fb999999999999a")))),
    "a float for an integer": post(gadgets, gadgetOf("ratio", field("ratio", "f93e00"), field("count", "05"))),
    "a half for an integer": post(gadgets, gadgetOf("half", field("count", "f93e00"))),
    "an unknown field": post(
      `${configMaps}?dryRun=All`,
      map(...typed("v1", "ConfigMap"), named("unknown"), field("x", "01")),
    ),
    "an unknown field, strictly": post(
      `${configMaps}?dryRun=All&fieldValidation=Strict`,
      map(
        ...typed("v1", "ConfigMap"),
        field("metadata", map(field("name", text("unknown")), field("y", "01"))),
        field("x", "01"),
      ),
    ),
    "unknown fields, ignored": post(
      `${configMaps}?dryRun=All&fieldValidation=Ignore`,
      map(...typed("v1", "ConfigMap"), named("unknown"), field("x", "01")),
    ),
    "an unknown field of a widget": post(
      `${widgets}?dryRun=All`,
      map(...typed(`${GROUP}/v1`, "Widget"), named("u"), field("spec", map(field("x", "01")))),
    ),
    "an unknown field of a widget, strictly": post(
      `${widgets}?dryRun=All&fieldValidation=Strict`,
      map(...typed(`${GROUP}/v1`, "Widget"), named("u"), field("spec", map(field("x", "01")))),
    ),
    "an update": {
      method: "PUT",
      path: `${configMaps}/texts`,
      body: hex(configMap("texts", map(field("a", text("c"))))),
    },
    "a delete with options": {
      method: "DELETE",
      path: `${configMaps}/texts`,
      body: hex(map(field("propagationPolicy", text("Background")), field("gracePeriodSeconds", "00"))),
    },
    "a delete with a precondition": {
      method: "DELETE",
      path: `${configMaps}/marked`,
      body: hex(map(...typed("v1", "DeleteOptions"), field("preconditions", map(field("uid", text("none")))))),
    },
    "a delete of a widget": { method: "DELETE", path: `${widgets}/w`, body: hex(map(...typed(`v1`, "DeleteOptions"))) },
    "a delete of all": { method: "DELETE", path: configMaps, body: hex(map(...typed("v1", "DeleteOptions"))) },
    "an access review": post(
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      map(
        field("spec", map(field("nonResourceAttributes", map(field("path", text("/x")), field("verb", text("get")))))),
      ),
    ),
    "an apply": {
      ...apply,
      path: `${configMaps}/applied?fieldManager=me`,
      body: hex(SELF_DESCRIBED + configMap("applied", map(field("a", bytes("b"))))),
    },
    "an apply of a widget": {
      ...apply,
      path: `${widgets}/applied?fieldManager=me`,
      body: hex(map(...typed(`${GROUP}/v1`, "Widget"), named("applied"), field("spec", map(field("size", "02"))))),
    },
    "an apply of bytes": {
      ...apply,
      path: `${secrets}/applied?fieldManager=me`,
      body: hex(secret("applied", `d6${bytes(Buffer.from([1, 2]))}`)),
    },
    "an apply without a kind": { ...apply, path: `${configMaps}/none?fieldManager=me`, body: hex(map(named("none"))) },
    "an apply in YAML": {
      method: "PATCH",
      contentType: "application/apply-patch+yaml",
      path: `${configMaps}/yaml?fieldManager=me`,
      body: '{"apiVersion":"v1","kind":"ConfigMap"}',
    },
    "a merge patch": {
      method: "PATCH",
      contentType: "application/merge-patch+json",
      path: `${configMaps}/applied`,
      body: '{"data":{"z":"1"}}',
    },
    "an unknown patch": { method: "PATCH", contentType: "text/plain", path: `${configMaps}/applied`, body: "x" },
    "an unknown patch of a widget": {
      method: "PATCH",
      contentType: "text/plain",
      path: `${widgets}/applied`,
      body: "x",
    },
    "an unknown body": { method: "POST", contentType: "text/plain", path: configMaps, body: "x" },
    "an unknown body of a widget": { method: "POST", contentType: "text/plain", path: widgets, body: "x" },
    JSON: { method: "POST", contentType: "application/json", path: configMaps, body: "{" },
  };
}

/** How a body is read: as a custom resource, as a built-in kind, or as an apply configuration. */
type Reading = "custom" | "built-in" | "applied";

function badBodies(reading: Reading): Readonly<Record<string, Uint8Array>> {
  const isCustom = reading === "custom";
  const kind = isCustom ? typed(`${GROUP}/v1`, "Widget") : typed("v1", "ConfigMap");
  const within = (...entries: readonly (readonly [Hex, Hex])[]): Hex => map(...kind, named("bad"), ...entries);
  const value = (item: Hex): Hex => within(field(isCustom ? "spec" : "data", map(field("image", item))));
  const bodies: Readonly<Record<string, Hex>> = {
    nothing: "",
    "half a map": "a1",
    "half a head": "19",
    "half a string": "6161".slice(0, 2),
    "more than one item": "a0a0",
    "a number": "01",
    "an array": "80",
    "a text": "6161",
    "a float": "f93e00",
    "a boolean": "f5",
    undefined: "f7",
    "a break": "ff",
    "reserved information": "1c",
    "an integer of unknown length": "1f",
    "a simple value in two bytes": "f814",
    "another simple value": value("f0"),
    "an undefined value": value("f7"),
    "a chunk of another type": "5f6161ff",
    "a chunk of unknown length": "5f5f4161ffff",
    "an odd map": "bf01ff",
    "not a number": value("f97e00"),
    infinity: value("f97c00"),
    "a big integer with a tag": value("c24101"),
    "a tag without an item": "d6",
    "a text that is not UTF-8": value("61ff"),
    "null for a text": value("f6"),
    "a key that is a number": within(field(isCustom ? "spec" : "data", map(["01", "02"]))),
    "the same key twice": within(
      field(isCustom ? "spec" : "data", map(field("image", text("b")), [bytes("image"), text("c")])),
    ),
    "the same field twice": within(field("kind", text(isCustom ? "Widget" : "ConfigMap"))),
    "the same field of metadata twice": map(
      ...kind,
      field("metadata", map(field("name", text("bad")), field("name", text("bad")))),
    ),
    "the same unknown field twice, strictly": within(field("x", "01"), field("x", "02")),
    "the same field twice, strictly": within(field("data", map()), field("data", map())),
    "a kind that is a number": map(field("apiVersion", text("v1")), field("kind", "01"), named("bad")),
    "a version that is null": map(field("apiVersion", "f6"), field("kind", text("ConfigMap")), named("bad")),
    "a tag of a time with another type": value("c001"),
    "a tag of seconds with another type": value("c16161"),
    "a text that is no time": value(`c0${text("x")}`),
    "64 levels": value("81".repeat(62) + "80"),
    "65 levels": "81".repeat(64) + "80",
    "1025 elements": `${head(4, 1025)}${"01".repeat(1025)}`,
    "1025 pairs": head(5, 1025) + Array.from({ length: 1025 }, (_, index) => `${text(String(index))}01`).join(""),
    "elements without end": `9f${"01".repeat(1025)}ff`,
    "a length that is too large": "5bffffffffffffffff",
    "an array that is too large": "9bffffffffffffffff",
    "a long array": "9a7fffffff",
    "no kind but many values": map(
      field(
        "a",
        array(
          "01",
          "20",
          "f93e00",
          "f5",
          "f6",
          text('a"\\\n\u00e4\u{1f600}'),
          bytes("it's"),
          bytes(Buffer.from([255])),
          bytes(""),
          map(field("x", "c11a65546b00")),
        ),
      ),
    ),
    "no kind and unknown lengths": `bf${text("a")}9f01ff${text("b")}7f${text("c")}${text("d")}ff${text("e")}5fff${text("f")}bf${"ff".repeat(2)}`,
  };
  // What has another type than its field is found in another way by applies, and by custom resources, as in JSON.
  const ofOtherTypes: Readonly<Record<string, Hex>> = {
    "a number for a text": value("01"),
    "an array for a text": value("80"),
    "a map for a text": value("a0"),
    "a boolean for a text": value("f5"),
    "a float for a text": value("f93e00"),
    "a name that is a number": map(...kind, field("metadata", map(field("name", "01")))),
    "labels that are an array": map(...kind, field("metadata", map(field("labels", "80")))),
    "a label that is a number": map(...kind, field("metadata", map(field("labels", map(field("a", "01")))))),
    "an item of finalizers that is a number": map(...kind, field("metadata", map(field("finalizers", array("01"))))),
    "metadata that is a text": map(...kind, field("metadata", text("x"))),
    "a generation that is a text": map(...kind, field("metadata", map(field("generation", text("x"))))),
    "a time that is a number": map(...kind, field("metadata", map(field("creationTimestamp", "01")))),
    "a time that is no time": map(...kind, field("metadata", map(field("creationTimestamp", text("x"))))),
    "a kind within bytes that are no text": within(field("binaryData", map(field("a", "6161")))),
  };
  // Of Go types, messages about large integers differ, and numbers are keys that are ignored.
  const untyped: Readonly<Record<string, Hex>> = {
    "an integer that is too large": value("1bffffffffffffffff"),
    "an integer that is too small": value("3bffffffffffffffff"),
    "a key that is a number at the top": within(["01", "02"]),
  };
  return Object.fromEntries(
    Object.entries({ ...bodies, ...(reading === "built-in" ? ofOtherTypes : untyped) }).map(([step, digits]) => [
      step,
      hex(digits),
    ]),
  );
}

/** Sends a call with and for CBOR, and notes its answer. */
async function sendCbor({ admin, note }: RowContext, step: string, call: CborCall): Promise<void> {
  const { path, method = "GET", accept = CBOR, contentType = CBOR, body, headers = {} } = call;
  const request = new Request(`http://server.invalid${path}`, {
    method,
    headers: { accept, ...headers, ...(body === undefined ? {} : { "content-type": contentType }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : Buffer.from(body) }),
  });
  // The reference panics on some bodies, and closes the connection.
  const response = await transportOf(admin)(request).catch(() => undefined);
  if (response === undefined) {
    note(step, "closes the connection");
    return;
  }
  const answer = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get("content-type") ?? "";
  const warnings = response.headers.get("warning");
  note(step, {
    status: response.status,
    contentType: type,
    ...(warnings === null ? {} : { warnings }),
    ...(type.startsWith(CBOR) ? cborNotation(answer) : { body: textOf(answer, type) }),
  });
}

function textOf(answer: Uint8Array, type: string): unknown {
  const printed = Buffer.from(answer).toString("utf8");
  return type.startsWith("application/json") ? (JSON.parse(printed) as unknown) : printed;
}
