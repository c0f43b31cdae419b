import type { MarkerPackage } from "./package-model.ts";
import { listLiteral, quotedLiteral } from "./random-literal.ts";
import { createRandom, type Random } from "./random.ts";
import { spoiled } from "./rbac-package.ts";

/** Makes sources with webhooks, the same for the same seed. */
export function randomWebhookPackage(seed: number): MarkerPackage {
  const random = createRandom(seed);
  const paths = random.pick([["webhooks/a"], ["webhooks/a", "webhooks/b"], ["api/v1/x"]]);
  const isWrong = random.chance(0.2);
  const files = paths.map((path) => ({
    path,
    groups: [
      random.chance(0.3) ? configurations(random) : [],
      ...random.many(1, 2, () => random.many(1, 3, () => webhook(random, isWrong))),
    ].filter((group) => group.length > 0),
  }));
  const header = random.chance(0.1) ? `:headerFile=header.txt${random.chance(0.5) ? ",year=2031" : ""}` : "";
  const model = { kind: "webhook" as const, seed, options: [`webhook${header}`] };
  return { ...model, files: random.chance(0.2) ? spoiled(random, files) : files };
}

function configurations(random: Random): readonly string[] {
  const kinds = random.pick([["true"], ["false"], ["true", "false"]]);
  return kinds.map((isMutating) => {
    const name = random.chance(0.7) ? `,name=${random.pick(["my-config", '"x y"', '""'])}` : "";
    return `+kubebuilder:webhookconfiguration:mutating=${isMutating}${name}`;
  });
}

function webhook(random: Random, isWrong: boolean): string {
  const wrong = <Item>(items: readonly Item[], good: Item): Item =>
    isWrong && random.chance(0.15) ? random.pick(items) : good;
  const list = (items: readonly string[], most: number): string =>
    listLiteral(
      random,
      random.many(1, most, () => random.pick(items)),
    );
  const isMutating = random.chance(0.5);
  const address = wrong(
    [[], ["path=/a", "url=https://x"]],
    random.chance(0.8) ? [`path=${random.pick(["/mutate", "/v-1", '"/a b"'])}`] : ['url="https://example.com/hook"'],
  );
  const words = [
    `mutating=${String(isMutating)}`,
    `failurePolicy=${random.pick(["fail", "Ignore", "FAIL", wrong(["maybe"], "ignore")])}`,
    ...(random.chance(0.3)
      ? [`matchPolicy=${wrong(["any", '""'], random.pick(["Exact", "equivalent", "EXACT"]))}`]
      : []),
    ...wrong(
      [[], ["sideEffects=Some"], ["sideEffects=x"]],
      [`sideEffects=${random.pick(["None", "NoneOnDryRun", "none"])}`],
    ),
    ...(random.chance(0.3) ? [`timeoutSeconds=${wrong(["0", "31", "-1", "x"], random.pick(["1", "10", "30"]))}`] : []),
    `groups=${list(['""', "core", "apps", "a.example.com", '"*"'], 2)}`,
    `resources=${list(["pods", "widgets", "*", "pods/status"], 2)}`,
    `verbs=${list(["create", "update", "DELETE", "connect", "*", wrong(["read"], "create")], 3)}`,
    `versions=${list(["v1", "v1beta1", "*"], 2)}`,
    `name=${random.pick(["a.example.com", "b.kb.io", "m1.kb.io", '"c d"', "v.example.com"])}`,
    ...address,
    ...(random.chance(0.2) ? [`serviceName=${random.pick(["svc", '"my-svc"'])}`] : []),
    ...(random.chance(0.2) ? [`serviceNamespace=${random.pick(["ns", "default"])}`] : []),
    ...(random.chance(0.2) ? [`servicePort=${random.pick(["443", "9443", wrong(["0", "70000"], "1")])}`] : []),
    ...(random.chance(0.2) ? [`webhookVersions=${wrong(["v1beta1", "{v1,v2}"], "v1")}`] : []),
    ...wrong([[], ["admissionReviewVersions={}"]], [`admissionReviewVersions=${list(["v1", "v1beta1"], 2)}`]),
    ...(random.chance(0.25)
      ? [`reinvocationPolicy=${random.pick(["Never", "IfNeeded", "ifneeded", wrong(["often"], "never")])}`]
      : []),
    ...(random.chance(0.25)
      ? [`patch=${quotedLiteral(random, random.pick(isWrong ? [...PATCHES, ...WRONG_PATCHES] : PATCHES))}`]
      : []),
  ];
  const ordered = random.chance(0.2) ? words.toReversed() : words;
  const kept = isWrong && random.chance(0.1) ? ordered.filter(() => random.chance(0.9)) : ordered;
  return `+kubebuilder:webhook:${kept.join(",")}`;
}

const PATCHES = [
  "{}",
  '{"namespaceSelector":{"matchLabels":{"a":"b"}}}',
  '{"objectSelector":{"matchExpressions":[{"key":"k","operator":"In","values":["x","y"]}]}}',
  '{"matchConditions":[{"name":"a.b","expression":"request.name != \'x\'"}]}',
  '{"timeoutSeconds":5}',
  '{"failurePolicy":"Fail"}',
  '{"rules":[{"apiGroups":["z"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["q"],"scope":"Cluster"}]}',
  '{"clientConfig":{"caBundle":"Zm9v"}}',
  '{"clientConfig":{"service":{"port":8443}}}',
  '{"timeoutSeconds":null}',
  '{"matchPolicy":"Exact"}',
] as const;

const WRONG_PATCHES = [
  "{",
  "[]",
  "5",
  "null",
  "",
  '{"unknown":1}',
  '{"timeoutSeconds":"x"}',
  '{"timeoutSeconds":100}',
  '{"name":null}',
  '{"sideEffects":"Some"}',
  '{"rules":null}',
  '{"NamespaceSelector":{}}',
  '{"admissionReviewVersions":[]}',
  '{"a":1,"a":2}',
] as const;
