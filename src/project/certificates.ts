import { baseSection, type ProjectConfig, withBaseSection } from "./project-config.ts";

/** Where the certificates of webhooks and metrics come from: cert-manager, or the manager itself. */
export type CertificateIssuer = "cert-manager" | "self-managed";

/** The issuers that projects can have, the default first. */
export const CERTIFICATE_ISSUERS: readonly CertificateIssuer[] = ["cert-manager", "self-managed"];

/** The key of the record in the section of the default plugin. */
export const CERTIFICATES = "certificates";

/** Returns where the certificates of a project come from. */
export function certificateIssuerOf(project: ProjectConfig): CertificateIssuer {
  const recorded = baseSection(project)[CERTIFICATES];
  return CERTIFICATE_ISSUERS.find((each) => each === recorded) ?? "cert-manager";
}

/** Returns the project with a record of the issuer; cert-manager is the default, and not recorded. */
export function withCertificateIssuer(project: ProjectConfig, issuer: CertificateIssuer): ProjectConfig {
  const { [CERTIFICATES]: _, ...others } = baseSection(project);
  return withBaseSection(project, issuer === "cert-manager" ? others : { ...others, [CERTIFICATES]: issuer });
}
