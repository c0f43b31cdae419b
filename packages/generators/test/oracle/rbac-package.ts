import { spoilText } from "./illegal-markers.ts";
import type { MarkerFile, MarkerPackage } from "./package-model.ts";
import { listLiteral } from "./random-literal.ts";
import { createRandom, type Random } from "./random.ts";

/** Makes sources with permissions, the same for the same seed. */
export function randomRbacPackage(seed: number): MarkerPackage {
  const random = createRandom(seed);
  const paths = random.pick([["controllers/a"], ["controllers/a", "controllers/b"], ["api/v1/x", "controllers/a"]]);
  const files = paths.map((path) => ({ path, groups: random.many(1, 3, () => random.many(1, 6, () => rule(random))) }));
  const header = random.chance(0.1) ? `,headerFile=header.txt${random.chance(0.5) ? ",year=2031" : ""}` : "";
  const fileName = random.chance(0.1) ? ",fileName=roles.yaml" : "";
  const options = [`rbac:roleName=${random.pick(["manager-role", '"my role"', "x"])}${header}${fileName}`];
  return { kind: "rbac", seed, options, files: random.chance(0.2) ? spoiled(random, files) : files };
}

/** Spoils one marker of the sources. */
export function spoiled(random: Random, files: readonly MarkerFile[]): readonly MarkerFile[] {
  const markers = files.flatMap(({ groups }) => groups.flat());
  const chosen = random.pick(markers);
  const wrong = random.chance(0.4) ? random.pick(ILLEGAL) : spoilText(random, chosen);
  let isDone = false;
  return files.map(({ path, groups }) => ({
    path,
    groups: groups.map((group) =>
      group.map((each) => {
        if (isDone || each !== chosen) return each;
        isDone = true;
        return wrong;
      }),
    ),
  }));
}

const ILLEGAL: readonly string[] = [
  "+kubebuilder:rbac", "+kubebuilder:rbac:groups=a,resources=b", "+kubebuilder:rbac:groups=a,resources=b,verb=get", "+kubebuilder:rbac:verbs=",
  "+kubebuilder:rbac:groups=a,resources=b,verbs=get,", "+kubebuilder:rbac:groups=a,b,resources=c,verbs=get", "+kubebuilder:rbac:verbs=get;;list,resources=a",
  "+kubebuilder:rbac:groups=a resources=b,verbs=get", "+kubebuilder:rbac:groups={a,b,resources=c,verbs=get", "+kubebuilder:rbac=x", "+kubebuilder:rbac:=verbs=get",
  "+kubebuilder:webhook:path=/x", "+kubebuilder:rbac:namespace=a;b,verbs=get,resources=x", "+kubebuilder:RBAC:verbs=x", "+ kubebuilder:rbac:verbs=get",
]; // prettier-ignore

const GROUPS = ['""', "core", "apps", "batch", "a.example.com", "*", '"*"', "b"] as const;
const RESOURCES = ["pods", "pods/log", "deployments", "*", "widgets/status", "nodes", "jobs"] as const;
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "*", "use"] as const;
const URLS = ["/metrics", "/healthz", "/api/*"] as const;

function rule(random: Random): string {
  const list = (items: readonly string[], most: number): string =>
    listLiteral(
      random,
      random.many(1, most, () => random.pick(items)),
    );
  const words = [
    ...(random.chance(0.97) ? [`groups=${list(GROUPS, 3)}`] : []),
    ...(random.chance(0.92) ? [`resources=${list(RESOURCES, 3)}`] : []),
    ...(random.chance(0.15) ? [`resourceNames=${list(["x", "y", '"a b"'], 2)}`] : []),
    `verbs=${list(VERBS, 4)}`,
    ...(random.chance(0.12) ? [`urls=${list(URLS, 2)}`] : []),
    ...(random.chance(0.15) ? [`namespace=${random.pick(["system", "other", '""'])}`] : []),
    ...(random.chance(0.1) ? [`roleName=${random.pick(["leader", '"the other"', "manager-role"])}`] : []),
  ];
  return `+kubebuilder:rbac:${(random.chance(0.2) ? words.toReversed() : words).join(random.pick([",", ", "]))}`;
}
