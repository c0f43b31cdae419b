// Renders docs/migrate/from-controller-runtime.md.
import { countsOf, matches } from "./rows.mjs";

const TITLES = ["built", "other form", "not needed", "not built yet"];
const INTRODUCTION = `# Migrate from controller-runtime

This page maps the exported symbols of controller-runtime, and of the packages of client-go and apimachinery that operators use, to \`@kubescaffold/runtime\`. A script writes it from
the Go sources, the docstrings of our packages, and a list of explanations; a test fails if a symbol has no explanation. Methods and fields belong to the row of their type, unless a row
names them; members of Go interfaces are not listed. \`*\` in a name stands for any letters. Commands and files are in [from-kubebuilder.md](from-kubebuilder.md).

## Concepts

| controller-runtime | Here |
|---|---|
| Manager | \`createManager\` returns a \`Manager\`: it starts caches, webhooks, and controllers, runs the leader election, and stops them in order. \`setupSignalHandler\` returns the signal that stops it. |
| Builder | \`newControllerManagedBy(manager).for(Kind).owns(Other).complete(reconciler)\`. Options are objects: \`{ predicates }\`; \`forMetadata\`, \`ownsMetadata\`, and \`watchesMetadata\` watch only the metadata. |
| Reconciler | A function or an object with \`reconcile(request, { log, signal, reconcileId })\`. It returns nothing or a \`Result\`, and throws errors; a \`TerminalError\` is not retried. |
| Client | \`client.get(Kind, key)\` returns the object instead of filling one, and rejects with a \`StatusError\`. Objects that it reads, writes, or watches, and those that predicates, handlers, map and index functions, finalizers, and validators of updates and deletions receive, have the type \`Stored<T>\`, with \`metadata.name\`, \`uid\`, and \`resourceVersion\`, and for kinds that extend \`NamespacedObject\` also \`namespace\`. Kinds are values with the name of their type, so there is no scheme. |
| Cache | \`manager.getClient()\` reads from informers, \`manager.getApiReader()\` from the server. Cached objects are frozen, with the type \`DeepReadonly<T>\`: change the copy that \`editable(object)\` returns. \`manager.getFieldIndexer()\` adds indexes. |
| Predicates | Functions and values of \`predicate\`, such as \`predicate.generationChanged\`, combined with \`predicate.and\`, \`predicate.or\`, and \`predicate.not\`. |
| Sources and handlers | \`source.kind\`, \`source.informer\`, \`source.channel\`, and \`source.func\`; \`handler.enqueueRequestForOwner\` and others. |
| Webhooks | \`newWebhookManagedBy(manager).for(Kind)\` with \`withDefaulter\`, \`withValidator\`, and \`withConversion\`. |
| envtest | \`Environment\` of \`@kubescaffold/envtest\`: an API server inside Node by default, the envtest binaries, or an existing cluster. |
| \`context.Context\` | An \`AbortSignal\`, in the options of a call. |
| Errors | Rejected promises. \`isNotFound(error)\` and others are in \`@kubescaffold/k8s\`. |

## Values in objects

Values that are structs with methods in Go are plain JSON here, and the methods are functions of \`@kubescaffold/k8s\`.

| Go | Here |
|---|---|
| \`metav1.Duration\`, \`time.ParseDuration\`, \`Duration.String\` | \`parseDuration("1h30m")\` returns milliseconds; \`formatDuration\` prints them. |
| \`metav1.Time\`, \`Before\`, \`Equal\` | \`compareTimes(left, right)\`, which also fits \`toSorted\`; \`Date.parse(time)\` returns milliseconds. |
| \`metav1.NewTime\`, \`NewMicroTime\` | \`toTime(clock.now())\`, \`toMicroTime\`. |
| \`resource.ParseQuantity\`, \`MustParse\`, \`String\` | \`parseQuantity\`, \`isQuantity\`, \`canonicalQuantity\`, \`formatQuantity\`. |
| \`Quantity.Add\`, \`Sub\`, \`Neg\`, \`Cmp\`, \`IsZero\` | \`addQuantities\`, \`subtractQuantities\`, \`negateQuantity\`, \`compareQuantities\`, \`isZeroQuantity\`. |
| \`Quantity.Value\`, \`ScaledValue\`, \`AsApproximateFloat64\` | \`quantityToBigInt(quantity, scale)\`, \`quantityToNumber\`. |
| \`intstr.GetScaledValueFromIntOrPercent\` | \`scaledValue("25%", { total, rounding: "up" })\`. |
| \`metav1.LabelSelectorAsSelector\`, \`Selector.Matches\` | \`labelSelectorMatcher(selector)\`, or \`matchesLabelSelector(selector, labels)\` once. |
| \`labels.Parse\`, \`metav1.FormatLabelSelector\` | \`parseLabelSelector\`, \`formatLabelSelector\`. |
`;

export function renderPage(packages, recorded) {
  const modules = recorded
    .split("\n")
    .filter((line) => line.startsWith("# "))
    .map((line) => `\`${line.slice(2)}\``);
  return [
    INTRODUCTION,
    "## Not built yet",
    "",
    ...missingRows(packages),
    "",
    "## Counts",
    "",
    `The versions are ${modules.join(", ")}. “Other form” is an option, a language feature, or a type of another shape.`,
    "",
    `| Package | ${TITLES.join(" | ")} |`,
    "|---|---|---|---|---|",
    ...packages.map(
      ({ module, folder, counts }) =>
        `| [${nameOf(module, folder)}](#${anchorOf(module, folder)}) | ${counts.join(" | ")} |`,
    ),
    `| all | ${countsOf(packages.flatMap(({ rows }) => rows)).join(" | ")} |`,
    ...packages.flatMap((each) => table(each)),
    "",
  ].join("\n");
}

function table({ module, folder, rows }) {
  return [
    "",
    `## ${titleOf(module, folder)}`,
    "",
    "| Upstream | Here | Note |",
    "|---|---|---|",
    ...rows
      .toSorted((left, right) => Number(isRest(left)) - Number(isRest(right)))
      .map((row) => `| ${isRest(row) ? "all others" : listOf(shortened(row))} | ${hereOf(row)} | ${row.note} |`),
  ];
}

function hereOf({ status, here }) {
  if (status === "unneeded") return "not needed";
  if (status === "missing") return "not built yet";
  return here === "" ? "see the note" : here;
}

// What no other row of the package names, if that is more than a few symbols.
function isRest({ patterns, symbols }) {
  return patterns?.join(" ") === "*" && symbols.length > LONGEST_GROUP;
}

const LONGEST_GROUP = 8;

// The symbols of a row; more than a few of one pattern that need nothing here are shown as the pattern.
function shortened({ status, patterns = [], symbols }) {
  if (status !== "unneeded" && symbols.length <= 4 * LONGEST_GROUP) return symbols;
  const long = patterns.filter((each) => each.includes("*") && groupOf(symbols, each).length > LONGEST_GROUP);
  const shown = (symbol) => long.find((each) => matches(symbol, each)) ?? symbol;
  return [...new Set(symbols.map(shown))];
}

function groupOf(symbols, pattern) {
  return symbols.filter((symbol) => matches(symbol, pattern));
}

function listOf(symbols) {
  return symbols.map((symbol) => `\`${symbol}\``).join(", ");
}

function nameOf(module, folder) {
  return `\`${titleOf(module, folder)}\``;
}

function titleOf(module, folder) {
  return folder === "." ? module : `${module}/${folder}`;
}

function anchorOf(module, folder) {
  return titleOf(module, folder).replaceAll("/", "");
}

function missingRows(packages) {
  const rows = packages.flatMap((each) =>
    each.rows
      .filter(({ status }) => status === "missing")
      .map((row) => `| ${nameOf(each.module, each.folder)} | ${listOf(row.symbols)} | ${row.note} |`),
  );
  return rows.length === 0 ? ["Nothing."] : ["| Package | Upstream | Note |", "|---|---|---|", ...rows];
}
