import type { Container, Pod, ServiceAccount } from "@kubescaffold/k8s/core/v1";

const ENFORCE_ANNOTATION = "kubernetes.io/enforce-mountable-secrets";
// The texts that Go reads as true.
const TRUE: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** Returns why a Pod may not reference a Secret, if its account allows only its own ones. */
export function secretReferenceProblem(account: ServiceAccount, { spec }: Pod): string | undefined {
  if (!TRUE.has(account.metadata.annotations?.[ENFORCE_ANNOTATION] ?? "")) return undefined;
  const allowed = new Set((account.secrets ?? []).map(({ name }) => name));
  const owner = `is not allowed because service account ${account.metadata.name ?? ""} does not reference that`;
  for (const { secret } of spec?.volumes ?? []) {
    if (secret !== undefined && !allowed.has(secret.secretName))
      return `volume with secret.secretName="${secret.secretName ?? ""}" ${owner} secret`;
  }
  const containers = [
    ...(spec?.initContainers ?? []).map((each) => ["init container", each] as const),
    ...(spec?.containers ?? []).map((each) => ["container", each] as const),
  ];
  for (const [kind, container] of containers) {
    const problem = variableProblem(container, allowed);
    if (problem !== undefined) return `${kind} ${container.name} with ${problem} ${owner} secret`;
  }
  const pullSecrets = new Set((account.imagePullSecrets ?? []).map(({ name }) => name));
  const index = (spec?.imagePullSecrets ?? []).findIndex(({ name }) => !pullSecrets.has(name));
  return index < 0
    ? undefined
    : `imagePullSecrets[${String(index)}].name="${spec?.imagePullSecrets?.[index]?.name ?? ""}" ${owner} imagePullSecret`;
}

function variableProblem(
  { env = [], envFrom = [] }: Container,
  allowed: ReadonlySet<string | undefined>,
): string | undefined {
  for (const { name, valueFrom } of env) {
    const secret = valueFrom?.secretKeyRef;
    if (secret !== undefined && !allowed.has(secret.name))
      return `envVar ${name} referencing secret.secretName="${secret.name ?? ""}"`;
  }
  const from = envFrom.find(({ secretRef }) => secretRef !== undefined && !allowed.has(secretRef.name))?.secretRef;
  return from === undefined ? undefined : `envFrom referencing secret.secretName="${from.name ?? ""}"`;
}
