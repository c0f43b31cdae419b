import { apiVersionOf, goQuote, goUnmarshalError, type GroupVersion, type GroupVersionKind } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";

import type { DecodedBody, ExpectedKind } from "./decoded-body.ts";
import { badRequest } from "./failures.ts";
import { isRegistered } from "./registered-kinds.ts";
import { unrecognized } from "./unrecognized-body.ts";

/**
 * Returns the kind of a body as kube-apiserver reads it: the endpoint decides the kind, the API version, and the version of its group where the body
 * leaves them out.
 *
 * Fails: with 400 where the fields are not strings.
 */
export function kindOfBody(body: DecodedBody, expected: ExpectedKind): GroupVersionKind {
  const stated = statedKind(body, expected);
  const kind = stated.kind === "" ? expected.kind : stated.kind;
  if (stated.version !== "") return stated.kind === kind ? stated : { ...stated, kind };
  if (stated.group === "" || stated.group === expected.group) return { ...expected, kind };
  throw unhandled({ ...stated, kind }, expected, `Object 'apiVersion' is missing in '${body.text}'`);
}

/**
 * Returns the kind that a body states; its fields are empty where the body leaves them out.
 *
 * Fails: with 400 where they are not strings, or not an API version.
 */
export function statedKind({ value, text }: DecodedBody, expected: ExpectedKind): GroupVersionKind {
  const { kind, apiVersion } = value;
  // Most bodies are of the kind that the endpoint takes.
  if (kind === expected.kind && apiVersion === apiVersionOf(expected)) return expected;
  if (!isOptionalText(kind) || !isOptionalText(apiVersion)) {
    // The first field that is not a string is reported.
    const [name, field] = Object.entries(value).find(
      ([each, content]) => (each === "kind" || each === "apiVersion") && !isOptionalText(content),
    ) as [string, unknown];
    const problem = `couldn't get version/kind; json parse error: ${goUnmarshalError(field, "string", `struct field .${name}`)}`;
    throw unrecognized({ text, expected, problem });
  }
  return { ...versionOf(apiVersion ?? "", { text, expected }), kind: kind ?? "" };
}

function isOptionalText(field: unknown): field is string | null | undefined {
  return field === undefined || field === null || typeof field === "string";
}

function versionOf(
  apiVersion: string,
  { text, expected }: { readonly text: string; readonly expected: ExpectedKind },
): GroupVersion {
  const parts = apiVersion.split("/");
  if (parts.length > 2) {
    throw unrecognized({ text, expected, problem: `unexpected GroupVersion string: ${apiVersion}` });
  }
  const [first = "", second] = parts;
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/**
 * Checks that an endpoint takes bodies of a kind: its own one, in its own API version or one of `others`.
 *
 * Fails: with 400, with the messages of kube-apiserver.
 */
export function checkKind(
  stated: GroupVersionKind,
  expected: GroupVersionKind,
  { api, others = [] }: { readonly api: BuiltInApi; readonly others?: readonly GroupVersion[] | undefined },
): void {
  if (isSameKind(stated, expected)) return;
  const given = apiVersionOf(stated);
  if (!isRegistered(stated, expected, api)) {
    const reason = `no kind ${goQuote(stated.kind)} is registered for version ${goQuote(given)} in scheme "pkg/runtime/scheme.go:111"`;
    throw unhandled(stated, expected, reason);
  }
  if (stated.kind !== expected.kind) {
    const [from, to] = [`${stated.version}.${stated.kind}`, `${goPackageOf(expected)}.${expected.kind}`];
    throw unhandled(stated, expected, `converting (${from}) to (${to}): unknown conversion`);
  }
  if (![expected, ...others].some((each) => apiVersionOf(each) === given)) {
    throw badRequest(
      `the API version in the data (${given}) does not match the expected API version (${apiVersionOf(expected)})`,
    );
  }
}

function isSameKind(left: GroupVersionKind, right: GroupVersionKind): boolean {
  return left.kind === right.kind && left.version === right.version && left.group === right.group;
}

function unhandled(stated: GroupVersionKind, expected: GroupVersionKind, reason: string): Error {
  return badRequest(
    `${stated.kind} in version ${goQuote(stated.version)} cannot be handled as a ${expected.kind}: ${reason}`,
  );
}

// The packages of the types that kube-apiserver works with.
const PACKAGES: Readonly<Record<string, string>> = {
  "": "core",
  "events.k8s.io": "core",
};

function goPackageOf({ group }: GroupVersion): string {
  return PACKAGES[group] ?? group.split(".", 1)[0] ?? "";
}
