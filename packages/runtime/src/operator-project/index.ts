/**
 * The manifests of an operator project, as kustomize gives them names: the namespace, the service account, and the roles of its manager.
 */
export { NotAnOperatorError, type OperatorManifests, readOperatorManifests } from "./operator-manifests.ts";
