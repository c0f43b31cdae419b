import type { RestClient } from "../rest/rest-client.ts";

/** Returns the user of a client, as the server knows it. Fails: `StatusError` when the server rejects the user. */
export async function userOf(rest: RestClient): Promise<string> {
  const review = await rest.request<{ readonly status?: { readonly userInfo?: { readonly username?: string } } }>({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  return review.status?.userInfo?.username ?? "";
}
