import { sendHostileValues } from "./send-hostile-values.ts";

const PROJECT = "takes the PROJECT file, whose fields are checked when it is read";

sendHostileValues("src", {
  calls: {
    "cli/commands/dev/dev-session.ts failureOf": ({ value }) => [value, { program: "scaffold" }],
    "machinery/disk-failure.ts diskFailure": ({ value }) => [value, { action: "read", path: "a" }],
  },
  ofConfigurations: ["kustomize/manifest.ts asText", "kustomize/resource.ts visit"],
  others: {
    "cli/output/report-error.ts reportError": "prints a thrown error; thrown-values of the runtime has hostile ones",
    "go-project/examples/example-object.ts exampleObject":
      "walks the samples and the schema of a project, which were read as YAML",
    "kustomize/resource.ts setMember": "sets a value, and does not look into it",
    "project/version-records.ts withRenamedSource": PROJECT,
    "project/project-config.ts withBaseSection": PROJECT,
  },
});
