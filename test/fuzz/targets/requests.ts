import { createApiServer } from "@kubescaffold/apiserver";
import { isRecord } from "@kubescaffold/platform";

import { type FuzzTarget, jsonOf, requireThat, Violation } from "../engine/fuzz-target.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const FOOS = "/apis/example.com/v1/namespaces/default/foos";
const CRD =
  '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"foos.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"foos","singular":"foo","kind":"Foo","listKind":"FooList"},"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.size"}},"additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"}],"selectableFields":[{"jsonPath":".spec.name"}],"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer","default":1},"name":{"type":"string","maxLength":9},"mail":{"type":"string","format":"email"},"list":{"type":"array","maxItems":9,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],"properties":{"a":{"type":"string","maxLength":9}}}}},"x-kubernetes-validations":[{"rule":"self.size >= 0","message":"negative"}]},"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}';
const FOO =
  '{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"size":2,"list":[{"a":"1"}]}}';

/** Requests to the embedded server: each is answered with a status below 500, and a failure with a Status. */
export const target: FuzzTarget = {
  name: "requests",
  kind: "json",
  seeds: [
    `[["POST","${CRDS}",${CRD}],["POST","${FOOS}",${FOO}],["PATCH","${FOOS}/a",{"spec":{"size":3}},"merge-patch"],["PATCH","${FOOS}/a",[{"op":"add","path":"/spec/name","value":"n"}],"json-patch"],["GET","${FOOS}?labelSelector=x%3Dy&fieldSelector=spec.name%3Dn&limit=1"]]`,
    `[["POST","${CRDS}",${CRD}],["PATCH","${FOOS}/b?fieldManager=m&force=true",${FOO},"apply-patch"],["PUT","${FOOS}/a/status",${FOO}],["PUT","${FOOS}/a/scale",{"spec":{"replicas":3}}],["DELETE","${FOOS}/a",{"propagationPolicy":"Foreground"}],["PUT","${CRDS}/foos.example.com",${CRD}]]`,
    '[["POST","/api/v1/namespaces/default/pods",{"metadata":{"generateName":"p-"},"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80}],"resources":{"limits":{"cpu":"1"}}}]}}],["POST","/apis/apps/v1/namespaces/default/deployments",{"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}],["PATCH","/apis/apps/v1/namespaces/default/deployments/d",{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"j"},{"$patch":"delete","name":"x"}]}}}},"strategic-merge-patch"]]',
    '[["POST","/api/v1/namespaces/default/configmaps",{"metadata":{"name":"m"},"data":{"a":"b"}}],["PUT","/api/v1/namespaces/default/configmaps/m",{"metadata":{"name":"m","finalizers":["x.y/z"]},"binaryData":{"a":"YQ=="}}],["GET","/api/v1/configmaps?limit=1&continue=abc"],["POST","/api/v1/namespaces/default/services",{"metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":"http"}]}}],["POST","/apis/batch/v1/namespaces/default/cronjobs",{"metadata":{"name":"j"},"spec":{"schedule":"*/5 * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}}]]',
    '[["POST","/apis/rbac.authorization.k8s.io/v1/clusterroles",{"metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}],["POST","/apis/authorization.k8s.io/v1/subjectaccessreviews",{"spec":{"user":"u","resourceAttributes":{"verb":"get","resource":"pods"}}}],["DELETE","/api/v1/namespaces/default/pods?labelSelector=a%20in%20(b)",{}],["GET","/openapi/v3/api/v1"]]',
  ],
  dictionary: [
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "GET",
    CRDS,
    FOOS,
    "merge-patch",
    "json-patch",
    "strategic-merge-patch",
    "apply-patch",
    "metadata",
    "spec",
    "status",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
    "managedFields",
    "resourceVersion",
    "generateName",
    "x-kubernetes-validations",
    "x-kubernetes-list-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-int-or-string",
    "x-kubernetes-embedded-resource",
    "properties",
    "additionalProperties",
    "items",
    "allOf",
    "anyOf",
    "not",
    "default",
    "nullable",
    "enum",
    "pattern",
    "rule",
    "messageExpression",
    "format",
    "type",
    "object",
    "array",
    "conversion",
    "webhook",
    "$ref",
    "?dryRun=All",
    "&fieldValidation=Strict",
    "&fieldManager=m",
    "&force=true",
    "/status",
    "/scale",
    "?watch=false",
    "?labelSelector=a",
    "?fieldSelector=metadata.name%3Da",
    "?limit=1",
  ],
  run: async (input) => {
    const requests = jsonOf(input);
    if (!Array.isArray(requests)) return;
    const defects: unknown[] = [];
    const server = createApiServer({ reportPanic: (error) => defects.push(error) });
    try {
      for (const request of requests.slice(0, 12) as readonly unknown[]) {
        if (Array.isArray(request)) await send(server, request);
        if (defects.length > 0) throw panicOf(defects[0]);
      }
    } finally {
      await server.close();
    }
  },
};

// An error of ours, too, is a defect when nothing turns it into an answer.
function panicOf(defect: unknown): Violation {
  const { message, stack = "" } = defect instanceof Error ? defect : new Error(String(defect));
  return new Violation(`${message}\n${stack}`);
}

async function send(server: ReturnType<typeof createApiServer>, parts: readonly unknown[]): Promise<void> {
  const [method, path, body, type] = parts;
  const request =
    typeof method === "string" && typeof path === "string" ? requestOf(method, path, body, type) : undefined;
  if (request === undefined) return;
  const response = await server.handle(request);
  const text = await response.text();
  await server.idle();
  const answer = `${request.method} ${request.url}: ${String(response.status)} ${text.slice(0, 300)}`;
  if (response.status < 400 || PLAIN_ANSWERS.some((start) => text.startsWith(start))) return;
  const status = jsonOf(text);
  requireThat(
    isRecord(status) && status["kind"] === "Status" && status["code"] === response.status,
    `no Status: ${answer}`,
  );
}

// Answers that kube-apiserver gives without a Status: of panics, which are reported elsewhere, of paths that nothing serves, and of malformed addresses.
const PLAIN_ANSWERS = ["This request caused", "404 page not found", "400 Bad Request"];

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

function requestOf(method: string, path: string, body: unknown, type: unknown): Request | undefined {
  const address = `http://server.test${path}`;
  if (!METHODS.has(method) || !path.startsWith("/") || !URL.canParse(address) || path.includes("watch="))
    return undefined;
  const isPatch = method === "PATCH" && typeof type === "string" && /^[a-z-]{1,30}$/u.test(type);
  const suffix = type === "apply-patch" ? "yaml" : "json";
  const headers = { "Content-Type": isPatch ? `application/${type}+${suffix}` : "application/json" };
  const hasBody = method !== "GET" && body !== undefined;
  return new Request(address, { method, headers, ...(hasBody ? { body: JSON.stringify(body) } : {}) });
}
