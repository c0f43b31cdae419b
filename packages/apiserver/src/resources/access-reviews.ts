import type { GroupResource } from "@kubescaffold/k8s";

const REVIEWS: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);

/** Reports whether a resource is a review of who a user is, or what one may do: admission that refused these could keep everyone out. */
export function isAccessReview({ group, resource }: GroupResource): boolean {
  return REVIEWS.has(`${group}/${resource}`);
}
