import { type Controller, defineController, EVENT_RULE, type RequestSigner } from "@kubescaffold/apiserver/cluster-api";

import { SIGNING_REQUESTS } from "./certificate-resources.ts";

/** Approves, signs, and deletes CertificateSigningRequests. */
export const CERTIFICATE_CONTROLLER: Controller<{ readonly requestSigner: RequestSigner }> = defineController({
  name: "certificate-controller",
  rules: [
    {
      apiGroups: ["certificates.k8s.io"],
      resources: ["certificatesigningrequests"],
      verbs: ["delete", "get", "list", "watch"],
    },
    {
      apiGroups: ["certificates.k8s.io"],
      resources: ["certificatesigningrequests/approval", "certificatesigningrequests/status"],
      verbs: ["update"],
    },
    {
      apiGroups: ["certificates.k8s.io"],
      resources: ["signers"],
      resourceNames: ["kubernetes.io/kube-apiserver-client-kubelet"],
      verbs: ["approve"],
    },
    {
      apiGroups: ["certificates.k8s.io"],
      resources: ["signers"],
      resourceNames: [
        "kubernetes.io/kube-apiserver-client",
        "kubernetes.io/kube-apiserver-client-kubelet",
        "kubernetes.io/kubelet-serving",
        "kubernetes.io/legacy-unknown",
      ],
      verbs: ["sign"],
    },
    { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
    EVENT_RULE,
  ],
  demand: { resources: [SIGNING_REQUESTS] },
  load: () => import("./certificate-controller.ts"),
});
