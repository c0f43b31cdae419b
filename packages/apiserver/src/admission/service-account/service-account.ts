import type { Pod, PodSpec, ServiceAccount } from "@kubescaffold/k8s/core/v1";

import { type AdmissionAttributes, type AdmissionPlugin, refusal } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { secretReferenceProblem } from "./mountable-secrets.ts";
import { withTokenVolume } from "./token-volume.ts";

const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;
const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";
const DEFAULT_ACCOUNT = "default";
// As long as kube-apiserver waits for an account that a controller is about to create.
const PATIENCE_MS = 1500;

/** Gives Pods a service account with its image pull secrets and a volume with its token, as the plugin of kube-apiserver does. */
export function serviceAccountAdmission(context: ServerContext): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    mutate: async (attributes) => {
      const pod = newPodOf(attributes);
      return pod === undefined ? undefined : await withAccount(context, pod, attributes);
    },
    validate: async (attributes) => {
      const pod = newPodOf(attributes);
      if (pod === undefined) return;
      if (isMirror(pod)) checkMirror(pod, attributes);
      else await checkAccount(context, pod, attributes);
    },
  };
}

function newPodOf({ operation, resource, subresource, object }: AdmissionAttributes): Pod | undefined {
  const isPod = resource.group === "" && resource.resource === "pods" && subresource === "";
  return operation === "CREATE" && isPod ? object : undefined;
}

function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
}

async function withAccount(
  context: ServerContext,
  pod: Pod,
  attributes: AdmissionAttributes,
): Promise<ApiObject | undefined> {
  if (isMirror(pod) || pod.spec === undefined) return undefined;
  const { serviceAccountName = "" } = pod.spec;
  const name = serviceAccountName === "" ? DEFAULT_ACCOUNT : serviceAccountName;
  const account = await accountOf(context, name, attributes);
  const named: PodSpec = { ...pod.spec, serviceAccountName: name, serviceAccount: name };
  const mounted = mountsToken(account, pod) ? withTokenVolume(named, () => tokenVolumeSuffix(context, pod)) : named;
  const secrets = account.imagePullSecrets ?? [];
  const spec =
    (pod.spec.imagePullSecrets ?? []).length > 0 || secrets.length === 0
      ? mounted
      : { ...mounted, imagePullSecrets: secrets.map(({ name: secret = "" }) => ({ name: secret })) };
  return { ...pod, spec };
}

function tokenVolumeSuffix({ identities }: ServerContext, { metadata }: Pod): string {
  const { namespace = "", name, generateName = "" } = metadata;
  return identities.nameSuffix(`token volume ${namespace}/${name ?? generateName}`);
}

// The Pod decides before its account.
function mountsToken(account: ServiceAccount, { spec }: Pod): boolean {
  return spec?.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

async function checkAccount(context: ServerContext, pod: Pod, attributes: AdmissionAttributes): Promise<void> {
  const { serviceAccountName = "" } = pod.spec ?? {};
  if (serviceAccountName === "") {
    throw refusal(attributes, `no service account specified for pod ${attributes.namespace}/${attributes.name}`);
  }
  const account = await accountOf(context, serviceAccountName, attributes);
  const problem = secretReferenceProblem(account, pod);
  if (problem !== undefined) throw refusal(attributes, problem);
}

function checkMirror({ spec }: Pod, attributes: AdmissionAttributes): void {
  if ((spec?.serviceAccountName ?? "") !== "") {
    throw refusal(attributes, "a mirror pod may not reference service accounts");
  }
  const tokens = (spec?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (tokens.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    throw refusal(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

// Returns an account; the one that a controller creates in each namespace is waited for.
async function accountOf(
  context: ServerContext,
  name: string,
  attributes: AdmissionAttributes,
): Promise<ServiceAccount> {
  const { namespace } = attributes;
  const find = (): ServiceAccount | undefined => context.objects.get(SERVICE_ACCOUNTS, { namespace, name });
  const found = find() ?? (name === DEFAULT_ACCOUNT ? await appeared(context, find) : undefined);
  if (found !== undefined) return found;
  throw refusal(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

async function appeared(
  { clock, objects }: ServerContext,
  find: () => ServiceAccount | undefined,
): Promise<ServiceAccount | undefined> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      unsubscribe();
      timer.cancel();
      resolve();
    };
    const unsubscribe = objects.observe(SERVICE_ACCOUNTS, () => {
      if (find() !== undefined) end();
    });
    const timer = clock.setTimeout(end, PATIENCE_MS);
  });
  return find();
}
