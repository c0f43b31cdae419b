import { argumentsOf, BOOLEAN, INTEGER, type MarkerDefinition, optional, required, STRING, STRINGS } from "../marker-definition.ts";

/** Markers that ask for permissions and register webhooks; they count anywhere outside function bodies. */
export const PACKAGE_DEFINITIONS: readonly MarkerDefinition[] = [
  {
    name: "kubebuilder:rbac",
    targets: ["package"],
    category: "RBAC",
    grammar: argumentsOf(
      optional("groups", STRINGS, 'API groups; "" or core is the core group.'),
      optional("resources", STRINGS, "Resources, such as pods or deployments/status."),
      optional("resourceNames", STRINGS, "Names of the objects that the rule is about; left out, all."),
      required("verbs", STRINGS, "Verbs, such as get;list;watch, or *."),
      optional("urls", STRINGS, "Paths of the API server that are not resources, such as /metrics."),
      optional("namespace", STRING, "The namespace of the Role; left out, the rule goes into the ClusterRole."),
      optional("roleName", STRING, "The name of the role, if not the one that the generator was given."),
    ),
    summary: "A permission that the manager needs.",
  },
  {
    name: "kubebuilder:webhook",
    targets: ["package"],
    category: "Webhook",
    grammar: argumentsOf(
      required("mutating", BOOLEAN, "Whether the webhook may change objects."),
      required("failurePolicy", STRING, "What happens when the webhook cannot be reached: fail or ignore."),
      optional("matchPolicy", STRING, "Exact or Equivalent."),
      optional("sideEffects", STRING, "None or NoneOnDryRun; must be given for v1."),
      optional("timeoutSeconds", INTEGER, "How long the API server waits, 1 to 30."),
      required("groups", STRINGS, 'API groups; "" or core is the core group.'),
      required("resources", STRINGS, "Resources that the webhook sees."),
      required("verbs", STRINGS, "create, update, delete, connect or *."),
      required("versions", STRINGS, "API versions of the resources."),
      required("name", STRING, "The name of the webhook, a domain of three or more segments."),
      optional("serviceName", STRING, "The service of the webhook, webhook-service by default."),
      optional("serviceNamespace", STRING, "The namespace of the service, system by default."),
      optional("path", STRING, "The path that the API server calls."),
      optional("servicePort", INTEGER, "The port of the service, 443 by default."),
      optional("webhookVersions", STRINGS, "Versions of the configuration object; only v1."),
      required("admissionReviewVersions", STRINGS, "Versions of AdmissionReview that the webhook understands, best first."),
      optional("reinvocationPolicy", STRING, "Never or IfNeeded, for webhooks that change objects."),
      optional("url", STRING, "Where the API server calls, in place of a path and a service."),
      optional("patch", STRING, "A strategic merge patch in JSON for the finished webhook; quote it with backticks."),
    ),
    summary: "Registers an admission webhook.",
  },
  {
    name: "kubebuilder:webhookconfiguration",
    targets: ["package"],
    category: "Webhook",
    grammar: argumentsOf(
      required("mutating", BOOLEAN, "Which of the two configurations is meant."),
      optional("name", STRING, "The name of the configuration object."),
    ),
    summary: "Names the object that holds the webhooks.",
  },
];
