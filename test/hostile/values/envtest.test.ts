import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/envtest/src", {
  calls: {},
  others: {
    "install/manifests.ts createOrUpdate": "sends the object to a server",
    "kube-apiserver/flag-file.ts requireKind": "looks at two members",
    "verify/field-changes.ts fieldChanges": "looks at four levels of the samples of the user",
  },
});
