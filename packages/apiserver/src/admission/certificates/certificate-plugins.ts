import { messageOf } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  checkPermission,
  refusal,
} from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";

const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";
const GROUP = "certificates.k8s.io";
const MASTERS = "system:masters";

/** Reads the organizations in the subject of a certificate request, which is PEM in base64. Fails: when it cannot be read. */
export type ReadOrganizations = (request: string) => Promise<readonly string[]>;

/** Requires the permission `approve` for the signer of a request whose approval changes. */
export function certificateApproval(context: Pick<ServerContext, "authorizer" | "permissions">): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    validate: async (attributes) => {
      const { operation, oldObject } = attributes;
      if (operation !== "UPDATE" || !isOfRequests(attributes, "approval") || oldObject === undefined) return;
      const signer = signerOf(oldObject);
      if (await maySign(context, { attributes, verb: "approve", signer })) return;
      throw refusal(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signer)}`);
    },
  };
}

/** Requires the permission `sign` for the signer of a request whose certificate or conditions change. */
export function certificateSigning(context: Pick<ServerContext, "authorizer" | "permissions">): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    validate: async (attributes) => {
      const { operation, object, oldObject } = attributes;
      if (operation !== "UPDATE" || !isOfRequests(attributes, "status")) return;
      if (object === undefined || oldObject === undefined || !isSigned(object, oldObject)) return;
      const signer = signerOf(oldObject);
      if (await maySign(context, { attributes, verb: "sign", signer })) return;
      throw refusal(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signer)}`);
    },
  };
}

/** Refuses requests for client certificates of administrators. */
export function certificateSubjectRestriction(readOrganizations: ReadOrganizations): AdmissionPlugin {
  return {
    name: "CertificateSubjectRestriction",
    validate: async (attributes) => {
      const { operation, object } = attributes;
      if (operation !== "CREATE" || !isOfRequests(attributes, "") || object === undefined) return;
      if (signerOf(object) !== CLIENT_SIGNER) return;
      const { request = "" } = object["spec"] as { readonly request?: string };
      const organizations = await readOrganizations(request).catch((error: unknown) => {
        throw refusal(attributes, `failed to parse CSR: ${messageOf(error)}`);
      });
      if (!organizations.includes(MASTERS)) return;
      throw refusal(attributes, `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
    },
  };
}

function isOfRequests({ resource, subresource }: AdmissionAttributes, wanted: string): boolean {
  return resource.group === GROUP && resource.resource === "certificatesigningrequests" && subresource === wanted;
}

function signerOf(request: ApiObject): string {
  const { signerName = "" } = (request["spec"] ?? {}) as { readonly signerName?: string };
  return signerName;
}

function isSigned(object: ApiObject, oldObject: ApiObject): boolean {
  interface Status {
    readonly certificate?: string;
    readonly conditions?: readonly object[];
  }
  const [status, old] = [object, oldObject].map((each) => (each["status"] ?? {}) as Status);
  return status?.certificate !== old?.certificate || !deepEqual(status?.conditions ?? [], old?.conditions ?? []);
}

// A permission for the signer itself, or for all signers of its domain.
async function maySign(
  context: Pick<ServerContext, "authorizer" | "permissions">,
  { attributes, verb, signer }: { attributes: AdmissionAttributes; verb: string; signer: string },
): Promise<boolean> {
  const [domain = ""] = signer.split("/");
  for (const name of [signer, `${domain}/*`]) {
    const asked = {
      isResourceRequest: true,
      path: "",
      verb,
      group: GROUP,
      version: "*",
      namespace: "",
      resource: "signers",
      subresource: "",
      name,
      user: attributes.user,
    };
    const decision = await checkPermission(context, asked, { isOptional: true });
    if (decision.allowed) return true;
  }
  return false;
}
