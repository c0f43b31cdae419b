import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { configMapOf, requestsOf, type Requests } from "../support/cluster-requests.ts";
import { type Body, CONFIG_MAPS, CRDS, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

// Each look at the clock takes two milliseconds, and a turn of the event loop at most ten.
const RULES_PER_TURN = 5;
const ITEMS = 100;

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";
const CALL_LIMIT =
  "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule";

/** The schema of a list of a thousand numbers, with these rules. */
const numbers = (...rules: readonly string[]): Body => ({
  type: "array",
  maxItems: 1000,
  items: { type: "integer" },
  "x-kubernetes-validations": rules.map((rule) => ({ rule })),
});

const THOUSAND = Array.from({ length: 1000 }, (_, index) => index);

interface Answer {
  readonly status: number;
  readonly body: Body;
}

/** An embedded cluster with requests of an administrator. */
class TestCluster {
  readonly #cluster = createEmbeddedCluster({ featureGates: { MutatingAdmissionPolicy: true } });
  readonly #requests: Requests = requestsOf(this.#cluster.config);

  constructor() {
    onTestFinished(async () => await this.#cluster.close());
  }

  async create(name: string): Promise<Answer> {
    return await this.#requests.post(CONFIG_MAPS, configMapOf(name));
  }

  async get(path: string): Promise<{ readonly code: number }> {
    return { code: (await this.#requests.get(path)).status };
  }

  async install(name: string, spec: Body, kind = "ValidatingAdmissionPolicy"): Promise<void> {
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] };
    const constraints = { matchConstraints: { resourceRules: [rule] } };
    const version = kind === "MutatingAdmissionPolicy" ? "v1beta1" : "v1";
    const group = `/apis/admissionregistration.k8s.io/${version}`;
    const base = { apiVersion: `admissionregistration.k8s.io/${version}`, metadata: { name } };
    await this.created(`${group}/${kind.toLowerCase().replace(/y$/u, "ies")}`, {
      ...base,
      kind,
      spec: { ...constraints, ...spec },
    });
    const actions = version === "v1" ? { validationActions: ["Deny"] } : {};
    await this.created(`${group}/${kind.toLowerCase()}bindings`, {
      ...base,
      kind: `${kind}Binding`,
      spec: { policyName: name, ...actions },
    });
  }

  async created(path: string, object: object): Promise<void> {
    const { status, body } = await this.#requests.post(path, object);
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
}

/** Returns how many other requests a server answers before a request is answered. */
async function answeredDuring(
  test: { readonly get: (path: string) => Promise<{ readonly code: number }> },
  send: () => Promise<{ readonly code: number } | Answer>,
  status = 201,
): Promise<number> {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 2));
  const state = { isDone: false };
  let answered = 0;
  const long = send().finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    expect((await test.get(`${CONFIG_MAPS}?limit=1`)).code).toBe(200);
    answered++;
  }
  const answer = await long;
  expect("code" in answer ? answer.code : answer.status).toBe(status);
  vi.restoreAllMocks();
  return answered;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("other requests are answered", () => {
  it("between the rules of a custom resource, when it is created, updated, and applied", async () => {
    const test = new TestServer();
    const item = { type: "integer", "x-kubernetes-validations": [{ rule: "self >= 0" }] };
    await test.define(fooCrd({ list: { type: "array", maxItems: 1000, items: item } }));
    const list = THOUSAND.slice(0, ITEMS);
    const few = ITEMS / RULES_PER_TURN / 2;
    const { code } = await test.post(FOOS, foo("first", { list: [1] }));
    expect(code).toBe(201);
    expect(await answeredDuring(test, () => test.post(FOOS, foo("a", { list })))).toBeGreaterThan(few);
    const changed = { spec: { list: list.map((number) => number + 1) } };
    expect(await answeredDuring(test, () => test.patch(`${FOOS}/a`, changed), 200)).toBeGreaterThan(few);
    const apply = { "Content-Type": "application/apply-patch+yaml" };
    const path = `${FOOS}/b?fieldManager=me`;
    expect(await answeredDuring(test, () => test.call("PATCH", path, foo("b", { list }), apply))).toBeGreaterThan(few);
  });

  it("between the expressions of a policy", async () => {
    const test = new TestCluster();
    const validations = Array.from({ length: ITEMS }, () => ({ expression: "has(object.metadata)" }));
    await test.install("a", { validations });
    await test.create("first");
    const few = ITEMS / RULES_PER_TURN / 2;
    expect(await answeredDuring(test, () => test.create("a"))).toBeGreaterThan(few);
  });
});

describe("other requests are answered within", () => {
  it("one rule of a custom resource", async () => {
    const test = new TestServer();
    await test.define(fooCrd({ list: numbers("self.all(x, self.exists(y, y == x))") }));
    const list = THOUSAND.slice(0, 250);
    expect(await answeredDuring(test, () => test.post(FOOS, foo("a", { list })))).toBeGreaterThan(30);
  });

  it("one expression of a policy, and one of its variables", async () => {
    const test = new TestCluster();
    const list = "[0,1,2,3,4,5,6,7,8,9]";
    const loops = `${list}.all(x, ${list}.all(y, ${list}.all(z, ${list}.all(a, true))))`;
    await test.install("a", { validations: [{ expression: loops }] });
    expect(await answeredDuring(test, () => test.create("a"))).toBeGreaterThan(10);
    const variables = [{ name: "all", expression: loops }];
    await test.install("b", { variables, validations: [{ expression: "variables.all" }] });
    expect(await answeredDuring(test, () => test.create("b"))).toBeGreaterThan(20);
  });
});

describe("other requests are answered within an expression", () => {
  const list = "[0,1,2,3,4,5,6,7,8,9]";
  const loops = `${list}.all(x, ${list}.all(y, ${list}.all(z, ${list}.all(a, true))))`;
  const text = `${loops} ? 'yes' : 'no'`;
  const condition = [{ name: "long", expression: loops }];
  const yes = [{ expression: "true" }];
  const patched = `Object{data: Object.data{b: ${text}}}`;
  const applied = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: patched } }];
  const patch = `[JSONPatch{op: 'add', path: '/data/b', value: ${text}}]`;
  const patches = [{ patchType: "JSONPatch", jsonPatch: { expression: patch } }];

  it.each<readonly [place: string, kind: string, spec: Body, status: number]>([
    ["a match condition", "ValidatingAdmissionPolicy", { matchConditions: condition, validations: yes }, 201],
    [
      "a message",
      "ValidatingAdmissionPolicy",
      { validations: [{ expression: "false", messageExpression: text }] },
      422,
    ],
    [
      "an annotation",
      "ValidatingAdmissionPolicy",
      { validations: yes, auditAnnotations: [{ key: "a", valueExpression: text }] },
      201,
    ],
    [
      "a match condition",
      "MutatingAdmissionPolicy",
      {
        reinvocationPolicy: "Never",
        matchConditions: condition,
        mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
      },
      201,
    ],
    ["a mutation", "MutatingAdmissionPolicy", { reinvocationPolicy: "Never", mutations: applied }, 201],
    ["a patch", "MutatingAdmissionPolicy", { reinvocationPolicy: "Never", mutations: patches }, 201],
  ])("of %s of a %s", async (_, kind, spec, status) => {
    const test = new TestCluster();
    await test.install("a", spec, kind);
    // The first one loads what evaluates it.
    await test.create("first");
    expect(await answeredDuring(test, () => test.create("a"), status)).toBeGreaterThan(10);
  });

  it.each(["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"])(
    "of a match condition of a %s",
    async (kind) => {
      const test = new TestCluster();
      const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
      const webhook = {
        name: "a.example.com",
        clientConfig: { url: "https://127.0.0.1:1" },
        rules: [rule],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        matchConditions: [{ name: "long", expression: `!(${loops})` }],
      };
      await test.created(`/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`, {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind,
        metadata: { name: "a" },
        webhooks: [webhook],
      });
      expect(await answeredDuring(test, () => test.create("a"))).toBeGreaterThan(10);
    },
  );

  const quadratic = "self.all(x, self.exists(y, y == x))";
  const message = "self.all(x, self.exists(y, y == x)) ? 'all' : 'some'";

  it("of a message of a custom resource", async () => {
    const test = new TestServer();
    const rules = [{ rule: "self.size() > 900", messageExpression: message }];
    await test.define(fooCrd({ list: { ...numbers(), "x-kubernetes-validations": rules } }));
    const send = (): Promise<{ readonly code: number }> => test.post(FOOS, foo("a", { list: THOUSAND.slice(0, 250) }));
    expect(await answeredDuring(test, send, 422)).toBeGreaterThan(30);
  });

  it("of a default of a definition", async () => {
    const test = new TestServer();
    const crd = fooCrd({ list: { ...numbers(quadratic), default: THOUSAND.slice(0, 250) } });
    // Loads what checks definitions.
    expect(
      (await test.post(`${CRDS}?dryRun=All`, fooCrd({ list: { ...numbers("self.size() > 0"), default: [1] } }))).code,
    ).toBe(201);
    const answered = await answeredDuring(test, () => test.post(CRDS, crd));
    expect(answered).toBeGreaterThan(60);
    expect(answered).toBeLessThan(1000);
  });
});

describe("the limits of kube-apiserver", () => {
  // A loop over a list costs two for each element, and another for what it reads.
  const million = "self.all(x, self.all(y, y < 1000))";

  it("end a rule that costs more than 1,000,000", async () => {
    const test = new TestServer();
    await test.define(fooCrd({ list: numbers(million, "self.size() > 5000") }));
    const { code, body } = await test.post(FOOS, foo("a", { list: THOUSAND }));
    expect(code).toBe(422);
    expect(body.message).toContain(CALL_LIMIT);
    expect(body.message).not.toContain("5000");
  });

  it("end the rules of an object that cost more than 10,000,000 together", async () => {
    const test = new TestServer();
    const rules = Array.from({ length: 15 }, () => million);
    await test.define(fooCrd({ list: { ...numbers(...rules), maxItems: 400 } }));
    const { code, body } = await test.post(FOOS, foo("a", { list: THOUSAND.slice(0, 400) }));
    expect(code).toBe(422);
    expect(body.message).toContain(OUT_OF_BUDGET);
  });

  const list = "[0,1,2,3,4,5,6,7,8,9]";
  /** An expression that costs about a third of the limit. */
  const loops = (depth: number, body: string): string =>
    depth === 0 ? body : `${list}.all(x${depth}, ${loops(depth - 1, body)})`;
  const third = loops(5, "true");

  it("end an expression of a policy that costs more than 1,000,000", async () => {
    const test = new TestCluster();
    await test.install("a", { validations: [{ expression: loops(6, "true") }] });
    expect(await test.create("a")).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("actual cost limit exceeded") as string },
    });
  });

  it.each([
    ["validations", 10_000_000],
    ["matchConditions", 2_500_000],
  ])("end the %s of a policy that cost more than %i together", async (member, limit) => {
    const test = new TestCluster();
    const expressions = (count: number): readonly Body[] =>
      Array.from({ length: count }, (_, index) => ({
        expression: third,
        ...(member === "matchConditions" ? { name: `a${String(index)}` } : {}),
      }));
    const others = { validations: [{ expression: "true" }] };
    await test.install("a", { ...others, [member]: expressions(Math.floor(limit / 400_000)) });
    expect(await test.create("few")).toMatchObject({ status: 201 });
    await test.install("b", { ...others, [member]: expressions(Math.ceil(limit / 200_000)) });
    expect(await test.create("many")).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(OUT_OF_BUDGET) as string },
    });
  });
});
