import { parseApiVersion } from "@kubescaffold/k8s";
import { beforeEach, describe, expect, it } from "vitest";

import { encodeProtobuf } from "../../src/protobuf/encode-protobuf.ts";
import { openEnvelope } from "../../src/protobuf/envelope.ts";
import { messageNamed, messageOf } from "../../src/protobuf/messages.ts";
import { readMessage } from "../../src/protobuf/read-message.ts";
import { writeMessage } from "../../src/protobuf/write-message.ts";
import { type Body, CONFIG_MAPS, configMap, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MEDIA_TYPES = `application/json, application/yaml, ${PROTOBUF}`;

interface Read {
  readonly code: number;
  readonly type: string | null;
  readonly body: Body;
}

describe("protobuf", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  it("creates the same object as JSON, and returns it in the form that the client accepts", async () => {
    const object = configMap("a", { key: "\ufeffvalue" }, { labels: { app: "x" } });
    const created = await send(server, "POST", CONFIG_MAPS, encodeProtobuf(object));
    expect([created.code, created.type]).toEqual([201, PROTOBUF]);
    expect(created.body).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", data: { key: "\ufeffvalue" } });
    const json = await server.get(`${CONFIG_MAPS}/a`);
    expect(created.body).toEqual(json.body);
  });

  it("fills in defaults of an object in protobuf", async () => {
    const deployment = {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 80 }] }] },
        },
      },
    };
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const { code, body } = await send(server, "POST", path, encodeProtobuf(deployment));
    expect(code).toBe(201);
    expect(body.spec).toMatchObject({ replicas: 1, strategy: { type: "RollingUpdate" } });
    expect(body).toEqual((await server.get(`${path}/web`)).body);
  });

  it("takes a body that states no kind for one of the kind in the path", async () => {
    const nameless = Buffer.from("k8s\0\x12\x05\n\x03\n\x01a", "latin1");
    const { code } = await send(server, "POST", "/api/v1/namespaces", nameless);
    expect(code).toBe(201);
  });

  it("updates, patches, and deletes", async () => {
    const { body: created } = await send(server, "POST", CONFIG_MAPS, encodeProtobuf(configMap("a", { key: "1" })));
    const changed = { ...created, data: { key: "2" } };
    const { body: updated } = await send(server, "PUT", `${CONFIG_MAPS}/a`, encodeProtobuf(changed));
    expect(updated.data).toEqual({ key: "2" });
    const patch = JSON.stringify({ data: { key: "3" } });
    const patched = await send(server, "PATCH", `${CONFIG_MAPS}/a`, patch, {
      "Content-Type": "application/strategic-merge-patch+json",
    });
    expect([patched.type, patched.body.data]).toEqual([PROTOBUF, { key: "3" }]);
    const options = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "other" } };
    const refused = await send(server, "DELETE", `${CONFIG_MAPS}/a`, encodeProtobuf(options));
    expect([refused.code, refused.body.reason]).toEqual([409, "Conflict"]);
    const deleted = await send(server, "DELETE", `${CONFIG_MAPS}/a`, encodeProtobuf({ ...options, preconditions: {} }));
    expect([deleted.code, deleted.body.status, deleted.body.details.name]).toEqual([200, "Success", "a"]);
  });

  it("lists objects, and their metadata alone", async () => {
    await server.post(CONFIG_MAPS, configMap("a", { key: "1" }));
    const list = await send(server, "GET", `${CONFIG_MAPS}?labelSelector=!none`);
    const json = await server.get(`${CONFIG_MAPS}?labelSelector=!none`);
    expect(list.body).toEqual(json.body);
    const accept = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    const metadata = await send(server, "GET", CONFIG_MAPS, undefined, { Accept: accept });
    expect([metadata.type, metadata.body.kind]).toEqual([PROTOBUF, "PartialObjectMetadataList"]);
    expect(metadata.body.items.map((item: Body) => item.metadata.name)).toEqual(["a"]);
  });

  it("answers a failure as a Status in protobuf", async () => {
    const { code, type, body } = await send(server, "GET", `${CONFIG_MAPS}/none`);
    expect([code, type]).toEqual([404, PROTOBUF]);
    expect(body).toMatchObject({ kind: "Status", apiVersion: "v1", reason: "NotFound", code: 404 });
  });

  it("refuses a table in protobuf with a Status in JSON, as upstream", async () => {
    const accept = `${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`;
    const { code, body } = await server.get(CONFIG_MAPS, { Accept: accept });
    expect([code, body.message]).toEqual([406, `only the following media types are accepted: ${MEDIA_TYPES}`]);
  });

  it("answers discovery", async () => {
    const groups = await send(server, "GET", "/apis");
    expect([groups.type, groups.body.kind]).toEqual([PROTOBUF, "APIGroupList"]);
    expect(groups.body.groups).toEqual((await server.get("/apis")).body.groups);
    const resources = await send(server, "GET", "/apis/apps/v1");
    expect(resources.body).toEqual((await server.get("/apis/apps/v1")).body);
    const parameters = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const all = await send(server, "GET", "/apis", undefined, { Accept: PROTOBUF + parameters });
    const json = await server.get("/apis", { Accept: `application/json${parameters}` });
    expect(all.type).toBe(PROTOBUF + parameters);
    expect(all.body.items.map((item: Body) => item.metadata.name)).toEqual(
      json.body.items.map((item: Body) => item.metadata.name),
    );
  });

  it("sends the events of a watch in frames with their length", async () => {
    await server.post(CONFIG_MAPS, configMap("a", { key: "1" }));
    const aborted = new AbortController();
    const response = await server.server.handle(
      new Request(`http://server.test${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name=a`, {
        headers: { Accept: PROTOBUF },
        signal: aborted.signal,
      }),
    );
    expect(response.headers.get("content-type")).toBe(`${PROTOBUF};stream=watch`);
    await server.delete(`${CONFIG_MAPS}/a`);
    const events = await takeEvents(response, 2);
    aborted.abort();
    expect(events.map(({ type, object }) => [type, object.kind, object.metadata.name, object.data])).toEqual([
      ["ADDED", "ConfigMap", "a", { key: "1" }],
      ["DELETED", "ConfigMap", "a", { key: "1" }],
    ]);
  });

  describe("with custom resources", () => {
    beforeEach(async () => {
      await server.define(fooCrd());
      await server.post(FOOS, foo("a"));
    });

    it("answers JSON where it is accepted too, and 406 where it is not", async () => {
      const { body } = await server.get(`${FOOS}/a`, { Accept: `${PROTOBUF},application/json` });
      expect(body.kind).toBe("Foo");
      const refused = await send(server, "GET", `${FOOS}/a`);
      expect([refused.code, refused.body.message]).toEqual([
        406,
        `only the following media types are accepted: ${MEDIA_TYPES}`,
      ]);
    });

    it("sends their metadata in protobuf", async () => {
      const accept = `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
      const { type, body } = await send(server, "GET", `${FOOS}/a`, undefined, { Accept: accept });
      expect([type, body.kind, body.metadata.name]).toEqual([PROTOBUF, "PartialObjectMetadata", "a"]);
    });

    it("refuses their bodies with 415, and reads the options of a delete", async () => {
      const { code } = await send(server, "POST", FOOS, encodeProtobuf(configMap("a")), { Accept: "application/json" });
      expect(code).toBe(415);
      const options = encodeProtobuf({ kind: "DeleteOptions", apiVersion: "v1" });
      const deleted = await send(server, "DELETE", `${FOOS}/a`, options, { Accept: "application/json" });
      expect(deleted.code).toBe(200);
    });
  });

  describe("refuses", () => {
    const unrecognized = "the object provided is unrecognized (must be of type Namespace)";
    const kind = "\n\x0f\n\x02v1\x12\tNamespace";

    it.each([
      ["an empty body", "", `${unrecognized}: empty data (<empty>)`],
      [
        "a body of another form",
        "{}",
        `${unrecognized}: provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})`,
      ],
      ["an envelope without a message", "k8s\0", `${unrecognized}: empty body (6b387300)`],
      ["a cut envelope", "k8s\0\n\x02", `${unrecognized}: unexpected EOF (6b3873000a02)`],
      [
        "a cut message",
        `k8s\0${kind}\x12\x02\n\x05`,
        'Namespace in version "v1" cannot be handled as a Namespace: unexpected EOF',
      ],
      [
        "a field of another type",
        `k8s\0${kind}\x12\x02\x08\x05`,
        'Namespace in version "v1" cannot be handled as a Namespace: proto: wrong wireType = 0 for field ObjectMeta',
      ],
      [
        "a kind that does not exist",
        `k8s\0${kind.replace("Namespace", "Something")}\x12\x02\n\x05`,
        'Something in version "v1" cannot be handled as a Namespace: no kind "Something" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
      ],
    ])("%s", async (_, text, message) => {
      const { code, body } = await send(server, "POST", "/api/v1/namespaces", Buffer.from(text, "latin1"), {
        Accept: "application/json",
      });
      expect([code, body.message]).toEqual([400, message]);
    });

    it("schemas that are nested beyond 1,000 levels, and no others", async () => {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const json = { Accept: "application/json" };
      const tooDeep = await send(server, "POST", path, nestedSchemas(1000), json);
      expect([tooDeep.code, tooDeep.body.message]).toEqual([400, expect.stringMatching(/exceeded max depth$/)]);
      const deep = await send(server, "POST", path, nestedSchemas(990), json);
      expect(deep.code).toBe(422);
      const message = messageNamed("apiextensions/v1.JSONSchemaProps");
      let schema: Body = {};
      for (let level = 0; level < 995; level += 1) schema = { not: schema };
      expect(readMessage(writeMessage(message, schema), message).not).toBeDefined();
    });

    it("more values than JSON of the greatest size has", async () => {
      const containers = Buffer.alloc(2_000_000, "\x12\0", "latin1");
      const message = Buffer.concat([lengthDelimited(2, containers)]);
      const pod = Buffer.concat([Buffer.from("k8s\0\n\t\n\x02v1\x12\x03Pod", "latin1"), lengthDelimited(2, message)]);
      const path = "/api/v1/namespaces/default/pods";
      const { code, body } = await send(server, "POST", path, pod, { Accept: "application/json" });
      expect([code, body.message]).toEqual([400, expect.stringMatching(/exceeded max number of values$/)]);
    });
  });
});

// A definition whose one version has schemas in schemas: spec, versions, schema, openAPIV3Schema, and the field "not".
function nestedSchemas(depth: number): Uint8Array {
  let schema: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) schema = lengthDelimited(28, schema);
  const versions = lengthDelimited(7, lengthDelimited(4, lengthDelimited(1, schema)));
  const kind = Buffer.from("k8s\0\n\x33\n\x17apiextensions.k8s.io/v1\x12\x18CustomResourceDefinition", "latin1");
  return Buffer.concat([kind, lengthDelimited(2, lengthDelimited(2, versions))]);
}

function lengthDelimited(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

async function send(
  { server }: TestServer,
  method: string,
  path: string,
  body?: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Read> {
  const response = await server.handle(
    new Request(`http://server.test${path}`, {
      method,
      headers: { Accept: PROTOBUF, "Content-Type": PROTOBUF, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : Buffer.from(body) }),
    }),
  );
  const type = response.headers.get("content-type");
  const bytes = Buffer.from(await response.arrayBuffer());
  return { code: response.status, type, body: type?.startsWith(PROTOBUF) === true ? opened(bytes) : parsed(bytes) };
}

const parsed = (bytes: Buffer): Body => JSON.parse(bytes.toString("utf8"));

function opened(bytes: Uint8Array): Body {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  const message = messageOf({ ...parseApiVersion(apiVersion), kind });
  if (message === undefined) throw new Error(`no message for ${apiVersion} ${kind}`);
  return { kind, ...(apiVersion === "" ? {} : { apiVersion }), ...readMessage(raw, message) };
}

async function takeEvents(response: Response, count: number): Promise<readonly { type: string; object: Body }[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let bytes = Buffer.alloc(0);
  const events: { type: string; object: Body }[] = [];
  while (events.length < count) {
    const { value } = await reader.read();
    bytes = Buffer.concat([bytes, value ?? new Uint8Array()]);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE()) {
      const end = 4 + bytes.readUInt32BE();
      events.push(eventOf(bytes.subarray(4, end)));
      bytes = bytes.subarray(end);
    }
  }
  return events;
}

// The object is in the last field of the event, and has an envelope.
function eventOf(bytes: Buffer): { type: string; object: Body } {
  const type = bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString("utf8");
  expect(messageNamed("meta/v1.WatchEvent").fields.map(({ name }) => name)).toEqual(["type", "object"]);
  return { type, object: opened(bytes.subarray(bytes.indexOf("k8s\0"))) };
}
