import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/envtest/src", {
  calls: {
    "oracles/kept-fields.ts lostFields": ({ value }) => [value, {}, { object: "", path: "", level: 0 }],
  },
  others: {
    "install/manifests.ts createOrUpdate": "sends the object to a server",
    "kube-apiserver/flag-file.ts requireKind": "looks at two members",
    "operator/install-operator.ts createOrReplace": "sends the object to a server",
    "verify/field-changes.ts fieldChanges": "looks at four levels of the samples of the user",
  },
});
