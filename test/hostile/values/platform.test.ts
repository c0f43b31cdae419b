import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/platform/src", {
  calls: {},
  others: { "grouped-lists.ts addToList": "keeps an item, and does not look into it" },
});
