import type { ServerContext } from "@kubescaffold/apiserver/cluster-api";
import type { GroupVersionKind } from "@kubescaffold/k8s";
import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
} from "@kubescaffold/k8s/admissionregistration/v1";
import { type DeclaredType, PolicyCompiler } from "@kubescaffold/schema/cel";

import { objectType } from "./object-types.ts";

/** Checks the validations of a policy against the types of the objects that its rules name; rules with stars name none. */
export function checkPolicyTypes(
  context: ServerContext,
  policy: ValidatingAdmissionPolicy,
): readonly ExpressionWarning[] {
  const check = createCheck(context, policy);
  return (policy.spec?.validations ?? []).flatMap(({ expression, messageExpression = "" }, index) => {
    const path = `spec.validations[${String(index)}]`;
    return [
      ...warningsOf(`${path}.expression`, check(expression)),
      ...(messageExpression === "" ? [] : warningsOf(`${path}.messageExpression`, check(messageExpression))),
    ];
  });
}

function warningsOf(fieldRef: string, warnings: readonly string[]): readonly ExpressionWarning[] {
  return warnings.length === 0 ? [] : [{ fieldRef, warning: warnings.join("\n") }];
}

function createCheck(
  context: ServerContext,
  { spec = {} }: ValidatingAdmissionPolicy,
): (expression: string) => readonly string[] {
  const { paramKind, variables = [] } = spec;
  const params = paramKind && paramType(context, paramKind);
  const options = { hasParams: params !== undefined, hasAuthorizer: true };
  const types = kindsOf(context, spec.matchConstraints?.resourceRules ?? []).flatMap((gvk) => {
    const object = objectType(context, gvk, `object ${gvk.kind}`);
    return object === undefined ? [] : [{ gvk, object }];
  });
  const compilers = types.map(({ gvk, object }) => {
    const compiler = new PolicyCompiler({ hasVariables: true, types: { object, params } });
    for (const { name, expression } of variables) compiler.declare(name, expression, options);
    return { gvk, compiler };
  });
  return (expression) =>
    compilers.flatMap(({ gvk, compiler }) => {
      const compiled = compiler.compile(expression, options);
      if (compiled.kind === "compiled" || compiled.issues === undefined) return [];
      return [`${gvk.group}/${gvk.version}, Kind=${gvk.kind}: ${compiled.issues}\n`];
    });
}

function paramType(
  context: ServerContext,
  { apiVersion = "", kind = "" }: { readonly apiVersion?: string; readonly kind?: string },
): DeclaredType | undefined {
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return objectType(context, { group, version, kind }, `params ${kind}`);
}

const MOST_KINDS = 10;

function kindsOf({ resources }: ServerContext, rules: readonly NamedRuleWithOperations[]): readonly GroupVersionKind[] {
  const kinds = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    let count = 0;
    for (const gvr of resourcesOf(rule)) {
      const served = resources.find(gvr);
      if (served === undefined) continue;
      const { group, version, kind } = served;
      kinds.set(`${group} ${version} ${kind}`, { group, version, kind });
      count += 1;
      if (count === MOST_KINDS) return sorted(kinds);
    }
  }
  return sorted(kinds);
}

function resourcesOf({ apiGroups = [], apiVersions = [], resources = [] }: NamedRuleWithOperations): readonly {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes("*"))) return [];
  const plain = resources.filter((name) => !/[*/]/.test(name)).toSorted();
  return apiGroups
    .toSorted()
    .flatMap((group) =>
      apiVersions.toSorted().flatMap((version) => plain.map((resource) => ({ group, version, resource }))),
    );
}

function sorted(kinds: ReadonlyMap<string, GroupVersionKind>): readonly GroupVersionKind[] {
  return [...kinds.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, gvk]) => gvk);
}
