import { beforeEach, describe, expect, it } from "vitest";

import { deployment, foo, fooCrd, FOOS, TestServer, type Body } from "../support/test-server.ts";

const TABLE = { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
const headings = (body: Body): readonly string[] => body.columnDefinitions.map((each: Body) => each.name as string);

describe("tables", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  it("row 80: prints the columns of a CRD: typed, with priority, missing as null, dates as ages", async () => {
    await server.define(
      fooCrd(undefined, {
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Mode", type: "string", jsonPath: ".spec.mode", priority: 1 },
          { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: "Since", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      }),
    );
    await server.post(FOOS, foo("a", { size: 3 }));
    await server.change(
      `${FOOS}/a`,
      (object) => {
        object.status = {
          conditions: [
            { type: "Other", status: "False" },
            { type: "Ready", status: "True" },
          ],
        };
      },
      "/status",
    );
    server.clock.step(90_000);
    const { body } = await server.get(FOOS, TABLE);
    expect([body.kind, headings(body), body.columnDefinitions[2].priority]).toEqual([
      "Table",
      ["Name", "Size", "Mode", "Ready", "Since"],
      1,
    ]);
    expect(body.rows[0].cells).toEqual(["a", 3, null, "True", "90s"]);
    expect(body.rows[0].object.kind).toBe("PartialObjectMetadata");
  });

  it("row 81: prints the age by default, and as much of the object as is asked for", async () => {
    await server.define(fooCrd());
    await server.post(FOOS, foo("a"));
    expect(headings((await server.get(FOOS, TABLE)).body)).toEqual(["Name", "Age"]);
    expect((await server.get(`${FOOS}?includeObject=None`, TABLE)).body.rows[0].object).toBeNull();
    expect((await server.get(`${FOOS}?includeObject=Object`, TABLE)).body.rows[0].object.kind).toBe("Foo");
    expect((await server.get(`${FOOS}?includeObject=x`, TABLE)).code).toBe(400);
  });

  it("row 82: gives metadata alone", async () => {
    await server.define(fooCrd());
    await server.post(FOOS, foo("a", { size: 1 }));
    const one = await server.get(`${FOOS}/a`, {
      Accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    });
    expect(Object.keys(one.body as object)).toEqual(["kind", "apiVersion", "metadata"]);
    const list = await server.get(FOOS, { Accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" });
    expect([list.body.kind, list.body.items[0].kind]).toEqual(["PartialObjectMetadataList", "PartialObjectMetadata"]);
    expect(
      (await server.get(FOOS, { Accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" })).code,
    ).toBe(406);
  });

  it("states the columns of a watch once", async () => {
    const watch = await server.server.handle(
      new Request("http://x/api/v1/namespaces?watch=1&timeoutSeconds=1", { headers: TABLE }),
    );
    server.clock.step(1000);
    const events = (await watch.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ object }) => object.columnDefinitions?.length ?? null)).toEqual([3, null, null, null]);
  });

  it("prints built-in kinds as kubectl users know them", async () => {
    await server.post("/apis/apps/v1/namespaces/default/deployments", deployment("web"));
    const deployments = (await server.get("/apis/apps/v1/namespaces/default/deployments", TABLE)).body;
    expect(headings(deployments)).toEqual([
      "Name",
      "Ready",
      "Up-to-date",
      "Available",
      "Age",
      "Containers",
      "Images",
      "Selector",
    ]);
    expect(deployments.rows[0].cells).toEqual(["web", "0/1", 0, 0, "0s", "web,log", "web:1,log:1", "app=web"]);
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    await server.post("/api/v1/namespaces/default/pods", pod);
    await server.patch("/api/v1/namespaces/default/pods/p/status", {
      status: {
        phase: "Running",
        podIP: "10.0.0.1",
        containerStatuses: [
          {
            name: "c",
            restartCount: 2,
            ready: false,
            state: { waiting: { reason: "CrashLoopBackOff" } },
            image: "i",
            imageID: "",
          },
        ],
      },
    });
    const pods = (await server.get("/api/v1/namespaces/default/pods", TABLE)).body;
    expect(pods.rows[0].cells).toEqual([
      "p",
      "0/1",
      "CrashLoopBackOff",
      "2",
      "0s",
      "10.0.0.1",
      "<none>",
      "<none>",
      "<none>",
    ]);
  });
});
