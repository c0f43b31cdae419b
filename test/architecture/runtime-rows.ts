/** How a numbered behavior of the runtime is proven on a real API server. */
type ProofOnServer =
  /** A test of this file, which runs on the embedded server and on the real control plane. */
  | { readonly kind: "test"; readonly file: string }
  /** A program that measures it on the real control plane; tests state no speed. */
  | { readonly kind: "measured"; readonly script: string }
  /** No API server takes part in it. */
  | { readonly kind: "none"; readonly reason: string };

/** A numbered behavior of the runtime; tests have its number in their names. */
export interface RuntimeRow {
  readonly row: number;
  readonly behavior: string;
  readonly onServer: ProofOnServer;
}

const CACHE = "packages/runtime/test/cache/cache-on-server.test.ts";
const CLIENT = "packages/runtime/test/client/server.test.ts";
const CONTENDERS = "packages/runtime/test/leader-election/contenders.e2e.test.ts";
const CONTROLLER = "packages/runtime/test/controller/controller-on-server.test.ts";
const CONVERSION = "packages/runtime/test/webhook/conversion-on-server.test.ts";
const FAULTS = "packages/runtime/test/manager/faults-on-server.e2e.test.ts";
const INDEXES = "packages/runtime/test/cache/informers-and-indexes-on-server.test.ts";
const MANAGER = "packages/runtime/test/manager/manager-on-server.test.ts";
const OPERATOR = "packages/runtime/test/manager/operator.e2e.test.ts";
const QUEUES = "packages/runtime/test/workqueue/queues-on-server.test.ts";
const REST = "packages/runtime/test/rest/rest-on-server.test.ts";
const SOURCES = "packages/runtime/test/source/sources-on-server.test.ts";
const WATCHES = "packages/runtime/test/cache/faults-of-watches-on-server.e2e.test.ts";
const WEBHOOKS = "packages/runtime/test/webhook/webhooks-on-server.test.ts";
const WEBHOOK_SERVER = "packages/runtime/test/webhook/webhook-server-on-server.test.ts";

/** All numbered behaviors, each with its proof on a real API server. */
export const RUNTIME_ROWS: readonly RuntimeRow[] = [
  tested(1, "a request is given to one worker at a time", CONTROLLER),
  tested(2, "requests are deduplicated while they are queued or in progress", CONTROLLER),
  tested(3, "the number of concurrent reconciles is limited", CONTROLLER),
  tested(4, "the outcome of a reconcile decides when it runs again", CONTROLLER),
  tested(5, "failures are retried with exponential back-off", CONTROLLER),
  tested(6, "terminal errors are not retried", CONTROLLER),
  tested(7, "no way of throwing ends the process or loses other events", CONTROLLER),
  tested(8, "a reconcile reads at least the version of its event", OPERATOR),
  tested(9, "nothing is reconciled before all sources have synced", CONTROLLER),
  tested(10, "a manager starts its runnables in order", MANAGER),
  tested(11, "a manager stops its runnables in order, then releases the lease, then writes events", OPERATOR),
  tested(12, "a stop lets running reconciles complete", OPERATOR),
  tested(13, "the time of a stop is limited", MANAGER),
  tested(14, "a second signal exits the process", MANAGER),
  tested(15, "a watch that ends ordinarily is resumed without a list", WATCHES),
  tested(16, "bookmarks advance the version of the next watch", WATCHES),
  tested(17, "an expired version leads to one list", WATCHES),
  tested(18, "a deletion that no watch reported is reported after the next list", FAULTS),
  tested(19, "an outage of the server is survived", "packages/runtime/test/manager/outage.e2e.test.ts"),
  tested(20, "a half-open connection is detected", FAULTS),
  tested(21, "failed lists are spaced by a back-off", WATCHES),
  tested(22, "a quiet kind stays watched", WATCHES),
  tested(23, "unknown fields survive an update", CLIENT),
  tested(24, "get, list, and watch return equal objects", CLIENT),
  tested(25, "objects from the cache cannot be changed", INDEXES),
  tested(26, "conflicts are reported, and nothing is overwritten", CLIENT),
  tested(27, "updates of an object and of its status are separate", CLIENT),
  tested(28, "merge patches contain the difference, and may lock", CLIENT),
  tested(29, "server-side apply tracks owners of fields", CLIENT),
  tested(30, "one process leads at a time", CONTENDERS),
  tested(31, "the lease is released at a clean stop", OPERATOR),
  tested(32, "a manager that lost its lease stops and writes nothing", FAULTS),
  tested(33, "a leader whose event loop was blocked writes nothing after its lease", CONTENDERS),
  tested(34, "clock skew leads to no early takeover", "packages/runtime/test/leader-election/clock-skew.test.ts"),
  tested(35, "a standby serves and caches, and reconciles nothing", OPERATOR),
  tested(
    36,
    "load does not prevent renewals of the lease",
    "packages/runtime/test/leader-election/under-load.e2e.test.ts",
  ),
  tested(37, "a manager may convert the objects that it caches", CONVERSION),
  tested(38, "validators allow, deny, and warn", WEBHOOKS),
  tested(39, "defaulters patch what they change", WEBHOOKS),
  tested(40, "bad admission reviews are answered with a review", WEBHOOK_SERVER),
  tested(41, "conversion keeps order and content", CONVERSION),
  tested(42, "a replaced serving certificate is served without a restart", WEBHOOK_SERVER),
  tested(43, "a missing certificate fails the start", WEBHOOK_SERVER),
  tested(44, "missing permissions are reported with verb and resource", CLIENT),
  tested(45, "owners are reconciled when their objects change", OPERATOR),
  tested(46, "metrics have upstream's names, types, and labels", MANAGER),
  tested(47, "health endpoints answer like upstream's", MANAGER),
  tested(48, "the config is found in upstream's order", REST),
  tested(49, "rotated tokens are reread", "packages/runtime/test/rest/token-rotation.test.ts"),
  tested(50, "nothing is left after a stop", OPERATOR),
  tested(51, "changes go before the backlog of the start", QUEUES),
  tested(52, "priorities rise, and retries keep them", QUEUES),
  tested(53, "a change ends a back-off", QUEUES),
  tested(54, "of several delays the shortest counts", QUEUES),
  tested(55, "the queue without priorities limits the rate of all retries", QUEUES),
  tested(56, "a kind that is installed late is watched", FAULTS),
  tested(57, "kinds that are installed late are mapped", "packages/runtime/test/discovery/mapper-on-server.test.ts"),
  tested(58, "a first read starts one informer", CACHE),
  tested(59, "a strict cache starts no informer", CACHE),
  tested(60, "disabled kinds are read from the server", CACHE),
  tested(61, "a cache of namespaces needs permissions in them only", CACHE),
  tested(62, "selectors are applied by the server", CACHE),
  tested(63, "lists by indexes equal a search", INDEXES),
  tested(64, "cached lists are limited, and selected like the server's", INDEXES),
  tested(65, "transforms run before objects are stored", INDEXES),
  tested(66, "metadata-only caches store metadata only", CACHE),
  tested(
    67,
    "initial lists are streamed, with fallback",
    "packages/runtime/test/cache/streamed-list-on-server.test.ts",
  ),
  tested(68, "long lists are read in pages", WATCHES),
  tested(69, "resyncs repeat all objects without a request", INDEXES),
  tested(70, "late handlers receive the existing objects", CACHE),
  tested(71, "slow handlers delay no other", INDEXES),
  tested(72, "Retry-After is honored", WATCHES),
  tested(73, "channels bring events, with back pressure", SOURCES),
  tested(74, "predicates filter events", SOURCES),
  tested(75, "map functions map the old and the new object", SOURCES),
  tested(76, "a standby with a warm-up has its queue filled", MANAGER),
  tested(77, "the time of a reconcile is limited", CONTROLLER),
  tested(78, "runnables may be added late", MANAGER),
  without(79, "each misuse of a builder has its own message", "a builder checks its arguments before any request"),
  tested(80, "createOrUpdate and createOrPatch write only changes", CLIENT),
  tested(81, "owner references and finalizers", CLIENT),
  tested(82, "repeated events are one Event", CLIENT),
  tested(83, "metrics are served to authorized users only", FAULTS),
  tested(84, "wrapped clients", "packages/runtime/test/client/wrappers-on-server.test.ts"),
  tested(85, "environments for tests", "packages/envtest/test/environment/environment.test.ts"),
  tested(
    86,
    "the fake client behaves like a server",
    "packages/envtest/test/fake-client/differential/differential.e2e.test.ts",
  ),
  tested(87, "log lines name the object and the reconcile", MANAGER),
  tested(88, "a client may read its own writes", "packages/runtime/test/client/read-your-writes.test.ts"),
  measured(89, "throughput of queues and reconciles", "bench/runtime/beside-go.mjs"),
  measured(90, "memory of caches", "bench/runtime/beside-go.mjs"),
  measured(91, "long lists do not block the event loop", "bench/runtime/beside-go.mjs"),
  tested(92, "managers of several clusters", "packages/runtime/test/manager/two-clusters.test.ts"),
  tested(93, "informers may be removed", CACHE),
  without(
    94,
    "setup-envtest downloads binaries",
    "it reads an index of binaries over HTTP, and no API server exists yet",
  ),
  tested(95, "metrics of requests, warnings, and reviews of tokens", REST),
  tested(96, "operators survive random faults", "packages/envtest/test/chaos/operator.e2e.test.ts"),
];

function tested(row: number, behavior: string, file: string): RuntimeRow {
  return { row, behavior, onServer: { kind: "test", file } };
}

function measured(row: number, behavior: string, script: string): RuntimeRow {
  return { row, behavior, onServer: { kind: "measured", script } };
}

function without(row: number, behavior: string, reason: string): RuntimeRow {
  return { row, behavior, onServer: { kind: "none", reason } };
}
