import { configMap, pathOf } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row } from "../row.ts";

const MERGE = "application/merge-patch+json";
const GROUP = "/apis/resource.k8s.io/v1";

export const DEVICE_ROWS: readonly Row[] = [
  {
    row: 424,
    title: "claims of devices are defaulted and checked, and never change",
    run: async ({ namespace, quietly, send, note }) => {
      const path = `${GROUP}/namespaces/${namespace}/resourceclaims`;
      const templates = `${GROUP}/namespaces/${namespace}/resourceclaimtemplates`;
      for (const [step, devices] of Object.entries(CLAIMS)) {
        await send(step, { method: "POST", path: `${path}?dryRun=All`, body: claim("c", { devices }) });
      }
      await send("access of administrators", { method: "POST", path, body: claim("c", { devices: admin() }) });
      await send("create", { method: "POST", path, body: claim("c", { devices: devicesOf(exactly({})) }) });
      const change = {
        method: "PATCH",
        path: `${path}/c`,
        body: { spec: { devices: null } },
        contentType: MERGE,
      } as const;
      note("a change", causesOf(await quietly(change)));
      await send("labels", {
        method: "PATCH",
        path: `${path}/c`,
        body: { metadata: { labels: { a: "b" } } },
        contentType: MERGE,
      });
      const template = { metadata: { labels: { a: "b" } }, spec: { devices: devicesOf(exactly({ count: -1 })) } };
      const body = { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaimTemplate", metadata: { name: "t" } };
      await send("a template", { method: "POST", path: templates, body: { ...body, spec: template } });
      const spec = {
        metadata: { name: "x", annotations: { "bad key": "" } },
        spec: { devices: devicesOf(exactly({})) },
      };
      await send("metadata of a template", { method: "POST", path: templates, body: { ...body, spec } });
      await quietly({ method: "POST", path: templates, body: { ...body, spec: { ...spec, metadata: {} } } });
      const labels = { spec: { metadata: { labels: { a: "b" } } } };
      const changed = await quietly({ method: "PATCH", path: `${templates}/t`, body: labels, contentType: MERGE });
      note("a change of a template", causesOf(changed));
    },
  },
  {
    row: 425,
    title: "classes and slices of devices are checked",
    run: async ({ send, quietly, note, cleanUp }) => {
      const classes = `${GROUP}/deviceclasses`;
      for (const [index, expression] of SELECTORS.entries()) {
        await send(`selector ${String(index)}: ${expression.slice(0, 80)}`, {
          method: "POST",
          path: `${classes}?dryRun=All`,
          body: deviceClass({ selectors: [{ cel: { expression } }] }),
        });
      }
      for (const [step, spec] of Object.entries(CLASSES))
        await send(step, { method: "POST", path: `${classes}?dryRun=All`, body: deviceClass(spec) });
      const slices = `${GROUP}/resourceslices`;
      for (const [step, spec] of Object.entries(SLICES)) {
        const body = slice({ ...SLICE, ...spec });
        const created = await quietly({ method: "POST", path: `${slices}?dryRun=All`, body });
        note(step, created.status === 201 ? objectOf(created).spec : causesOf(created));
      }
      await send("create a slice", { method: "POST", path: slices, body: slice(SLICE) });
      cleanUp(() => quietly({ method: "DELETE", path: `${slices}/row-425` }));
      await send("immutable fields", {
        method: "PATCH",
        path: `${slices}/row-425`,
        body: { spec: { driver: "other.example.com", nodeName: "m", pool: { name: "q" } } },
        contentType: MERGE,
      });
      await send("another generation", {
        method: "PATCH",
        path: `${slices}/row-425`,
        body: { spec: { pool: { generation: 2 } } },
        contentType: MERGE,
      });
      await send("select by driver", {
        path: `${slices}?fieldSelector=${encodeURIComponent("spec.driver=gpu.example.com")}`,
      });
      await send("select by node", { path: `${slices}?fieldSelector=${encodeURIComponent("spec.nodeName=other")}` });
    },
  },
  {
    row: 426,
    title: "the status of a claim of devices has an allocation, which is checked once",
    run: async ({ namespace, quietly, send, note }) => {
      const path = `${GROUP}/namespaces/${namespace}/resourceclaims`;
      await quietly({ method: "POST", path, body: claim("c", { devices: devicesOf(exactly({})) }) });
      await quietly({ method: "POST", path: pathOf("configmaps", namespace), body: configMap("c") });
      const status = async (step: string, body: Json): Promise<void> => {
        await send(step, { method: "PATCH", path: `${path}/c/status`, body, contentType: MERGE });
      };
      for (const [step, value] of Object.entries(STATUSES)) await status(step, { status: value });
      await status("metadata", { metadata: { labels: { a: "b" } } });
      await status("allocate", { status: { allocation: ALLOCATION } });
      const body = { status: { allocation: { devices: { results: [] } } } };
      const other = await quietly({ method: "PATCH", path: `${path}/c/status`, body, contentType: MERGE });
      note("another allocation", causesOf(other));
      await status("reserve", { status: { reservedFor: [{ resource: "pods", name: "a", uid: "u" }] } });
      await status("devices", {
        status: { devices: [{ ...DEVICE, data: { a: 1 }, networkData: { ips: ["10.0.0.1/8"] } }] },
      });
      for (const [step, device] of Object.entries(DEVICES)) await status(step, { status: { devices: [device] } });
      await status("deallocate", { status: { allocation: null, reservedFor: null } });
    },
  },
];

const STRUCT = /(?<=value: )[[{].*[\]}](?=: )/u;

// Go prints structs by its own names, and walks maps in any order.
function causesOf(answer: Answer): readonly string[] {
  const { details } = objectOf(answer) as unknown as { readonly details?: { readonly causes: readonly Json[] } };
  const causes = details?.causes ?? [];
  return causes
    .map(({ field, message }) => `${String(field)}: ${String(message).replace(STRUCT, "<struct>")}`)
    .toSorted();
}

function claim(name: string, spec: Json): Json {
  return { apiVersion: "resource.k8s.io/v1", kind: "ResourceClaim", metadata: { name }, spec };
}

function devicesOf(...requests: readonly Json[]): Json {
  return { requests };
}

function exactly(fields: Json, name = "a"): Json {
  return { name, exactly: { deviceClassName: "gpu.example.com", ...fields } };
}

function admin(): Json {
  return devicesOf(exactly({ adminAccess: true }));
}

function withConfig(config: Json): Json {
  return { ...devicesOf(exactly({})), config: [config] };
}

function withConstraint(constraint: Json): Json {
  return { ...devicesOf(exactly({})), constraints: [constraint] };
}

const CLAIMS: Readonly<Record<string, Json>> = {
  defaults: devicesOf(exactly({}), { name: "b", firstAvailable: [{ name: "x", deviceClassName: "c" }] }),
  all: devicesOf(exactly({ allocationMode: "All" })),
  "a count of all": devicesOf(exactly({ allocationMode: "All", count: 2 })),
  "a negative count": devicesOf(exactly({ count: -1 })),
  "another mode": devicesOf(exactly({ allocationMode: "Some" })),
  "no class": devicesOf({ name: "a", exactly: {} }),
  "a bad class": devicesOf(exactly({ deviceClassName: "A_B" })),
  "no kind of request": devicesOf({ name: "a" }),
  "both kinds of requests": devicesOf({ ...exactly({}), firstAvailable: [{ name: "x", deviceClassName: "c" }] }),
  "two requests of one name": devicesOf(exactly({}), exactly({})),
  "two alternatives of one name": devicesOf({
    name: "a",
    firstAvailable: [
      { name: "x", deviceClassName: "c" },
      { name: "x", deviceClassName: "d" },
    ],
  }),
  "bad names": devicesOf(exactly({}, "A"), exactly({}, "")),
  "too many requests": devicesOf(...Array.from({ length: 33 }, (_each, index) => exactly({}, `r${String(index)}`))),
  "a selector": devicesOf(exactly({ selectors: [{}, { cel: { expression: "1" } }] })),
  "disabled fields": {
    requests: [exactly({ tolerations: [{ operator: "Bad" }], capacity: { requests: { a: "1" } } })],
    constraints: [{ distinctAttribute: "a.example.com/b" }],
  },
  "a constraint": withConstraint({ requests: ["a", "b", "a/b", "a/b/c", "a"], matchAttribute: "x" }),
  "attributes of constraints": {
    ...devicesOf(exactly({})),
    constraints: ["", "/", "a/b", "A.b/c", "a/b/c", "a/1", `a/${"x".repeat(33)}`].map((matchAttribute) => ({
      matchAttribute,
    })),
  },
  "no configuration": withConfig({}),
  "an empty configuration": withConfig({ opaque: {} }),
  "a configuration": withConfig({ requests: ["a"], opaque: { driver: "Gpu_1", parameters: { a: [1] } } }),
  "long parameters": withConfig({ opaque: { driver: "a", parameters: { a: "x".repeat(10 * 1024) } } }),
};

function deviceClass(spec: Json): Json {
  return { apiVersion: "resource.k8s.io/v1", kind: "DeviceClass", metadata: { name: "c" }, spec };
}

const SELECTORS: readonly string[] = [
  "true",
  'device.driver == "gpu.example.com"',
  'device.attributes["gpu.example.com"].model == "a100"',
  'device.attributes["gpu.example.com"].size > 3',
  'device.attributes["gpu.example.com"].enabled',
  'device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0',
  'cel.bind(gpu, device.attributes["gpu.example.com"], gpu.a && gpu.b)',
  "cel.bind(1, true, true)",
  'device.attributes["gpu.example.com"]',
  "device.driver",
  "device",
  "dyn(true)",
  "1",
  "device.other",
  "device.allowMultipleAllocations",
  "object.spec",
  "'a'.matches('[')",
  'device.attributes.all(d, device.attributes[d].all(a, device.attributes[d][a] == "x"))',
  "device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, device.attributes.all(g, d == e && f == g))))",
  `"${"x".repeat(10 * 1024)}" == ""`,
];

const CLASSES: Readonly<Record<string, Json>> = {
  "an extended resource": { extendedResourceName: "bad" },
  "a configuration of a class": { config: [{}, { opaque: { driver: "a.example.com", parameters: {} } }] },
  "too many selectors": { selectors: Array.from({ length: 33 }, () => ({ cel: { expression: "true" } })) },
};

const SLICE: Json = {
  driver: "gpu.example.com",
  nodeName: "n",
  pool: { name: "p", generation: 1, resourceSliceCount: 1 },
  devices: [{ name: "a", attributes: { model: { string: "x" } }, capacity: { memory: { value: "1Gi" } } }],
};

function slice(spec: Json): Json {
  return { apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice", metadata: { name: "row-425" }, spec };
}

function withAttributes(attributes: Json): Json {
  return { devices: [{ name: "a", attributes }] };
}

const TERMS = [{ matchExpressions: [{ key: "a", operator: "Exists" }] }];

const SLICES: Readonly<Record<string, Json>> = {
  "an uppercase driver": { driver: "GPU.example.com" },
  "no driver": { driver: "" },
  "a long driver": { driver: "a".repeat(64) },
  "no pool": { pool: {} },
  "a bad pool": { pool: { name: "A/b//c", generation: -1, resourceSliceCount: 1 } },
  "no node": { nodeName: undefined },
  "an empty node": { nodeName: "" },
  "two kinds of nodes": { allNodes: true },
  "not all nodes": { nodeName: undefined, allNodes: false },
  "two terms": { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [...TERMS, ...TERMS] } },
  "no terms": { nodeName: undefined, nodeSelector: { nodeSelectorTerms: [] } },
  "disabled fields": {
    sharedCounters: [{ name: "A" }],
    devices: [
      {
        name: "a",
        taints: [{}],
        consumesCounters: [{}],
        nodeName: "",
        bindingConditions: ["a"],
        allowMultipleAllocations: true,
        capacity: { a: { value: "1", requestPolicy: { default: "2" } } },
      },
    ],
  },
  "per device": { nodeName: undefined, perDeviceNodeSelection: true },
  "two devices of one name": { devices: [{ name: "a" }, { name: "a" }, { name: "A" }] },
  "names of attributes": withAttributes(
    Object.fromEntries(
      ["", "a b", "/a", "a/", "A.b/c", "a/b/c", "x".repeat(120)].map((name) => [name, { string: "x" }]),
    ),
  ),
  "values of attributes": withAttributes({
    none: {},
    two: { string: "a", int: 1 },
    long: { string: "x".repeat(65) },
    version: { version: "1.0" },
    number: { int: 5 },
    flag: { bool: false },
  }),
  "too many attributes": withAttributes(
    Object.fromEntries(Array.from({ length: 33 }, (_each, index) => [`a${String(index)}`, { int: index }])),
  ),
  "too many devices": { devices: Array.from({ length: 129 }, (_each, index) => ({ name: `d${String(index)}` })) },
};

const DEVICE: Json = { driver: "gpu.example.com", pool: "p", device: "d" };
const ALLOCATION: Json = {
  devices: {
    results: [{ request: "a", ...DEVICE, shareID: "x", bindingConditions: ["b"] }],
    config: [{ source: "FromClass", opaque: { driver: "gpu.example.com", parameters: { a: 1 } } }],
  },
};

const STATUSES: Readonly<Record<string, Json>> = {
  "reserved without an allocation": { reservedFor: [{ resource: "pods", name: "a", uid: "u" }] },
  "incomplete consumers": { reservedFor: [{}, {}] },
  "a device that is not allocated": { devices: [DEVICE] },
  "a bad allocation": {
    allocation: {
      devices: {
        results: [{ request: "x", driver: "", pool: "", device: "A" }],
        config: [{ requests: ["a", "x"] }, { source: "Other", opaque: { driver: "a", parameters: {} } }],
      },
      nodeSelector: { nodeSelectorTerms: [] },
    },
  },
  "access of administrators": {
    allocation: { devices: { results: [{ request: "a", ...DEVICE, adminAccess: true }] } },
  },
};

const CONDITION: Json = {
  type: "Ready",
  status: "True",
  reason: "Ready",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

const DEVICES: Readonly<Record<string, Json>> = {
  "bad conditions": { ...DEVICE, conditions: [{ ...CONDITION, reason: "", status: "Yes" }, CONDITION] },
  "a condition": { ...DEVICE, conditions: [{ ...CONDITION, type: "a b", reason: "1", observedGeneration: -1 }] },
  "a condition without a time": { ...DEVICE, conditions: [{ ...CONDITION, lastTransitionTime: null }] },
  "bad network data": {
    ...DEVICE,
    networkData: {
      interfaceName: "x".repeat(257),
      hardwareAddress: "x".repeat(129),
      ips: ["10.0.0.1", "10.0.0.01/8", "fd00::1/64", "FD00::2/64", "::ffff:1.2.3.4/120", "fd00::1/64"],
    },
  },
};
