import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/dashboard/src", {
  calls: {
    "server/objects/object-reads.ts yamlOf": ({ object }) => [object],
    "server/objects/object-summary.ts summaryOf": ({ object }) => [object, { columns: [] }],
  },
  others: {
    "page/editor/yaml-document.ts valueText":
      "runs in the page, whose editor of YAML recurses, and fails for this object alone",
    "page/editor/yaml-document.ts setInText": "edits a text of YAML that the page has read",
    "page/editor/yaml-document.ts valueAt": "follows a path",
    "server/cluster/problems.ts requestProblem": "takes a thrown error",
  },
});
