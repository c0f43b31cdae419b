import type { AuditPolicy } from "@kubescaffold/apiserver";

import { readYamlFile, requireKind } from "./flag-file.ts";

const FLAG = "audit-policy-file";

/** Reads the policy of the audit log; the server checks its rules when it starts. Fails: ServerFlagError. */
export async function readAuditPolicy(file: string): Promise<AuditPolicy> {
  const value = await readYamlFile(FLAG, file);
  requireKind(value, { apiVersion: "audit.k8s.io/v1", kind: "Policy", flag: FLAG });
  return value as unknown as AuditPolicy;
}
