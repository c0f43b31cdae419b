import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/k8s/src", {
  calls: {},
  others: { "options/check-numbers.ts checkNumbers": "looks at single options" },
});
