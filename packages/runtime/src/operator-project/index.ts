/**
 * The manifests of an operator project, as kustomize gives them names: the namespace, the service account, and the roles of its manager.
 */
export { type CertificateManifests, readCertificateManifests } from "./operator-certificates.ts";
export { type OperatorManifests, readOperatorManifests } from "./operator-manifests.ts";
export { NotAnOperatorError } from "./project-documents.ts";
