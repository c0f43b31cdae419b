// What CI runs today, which the date decides: one shard of the random tests (random-tests.mjs), and one part of the tests that take longer than a submission may:
// whole programs, journeys, and what is compared with a real control plane. `npm run nightly` runs all parts; `npm run test:e2e` and
// `npm run test:control-plane` do without `--part`.
import process from "node:process";

// The days after which everything has run.
const DAYS = 14;

/** The number of shards of each random test. */
export const SHARDS = DAYS;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the shard that `KUBESCAFFOLD_SHARD` names, or the one of the day. Throws when the variable is not the number of a shard. */
export function selectedShard({ named = process.env["KUBESCAFFOLD_SHARD"], now = Date.now() } = {}) {
  if (named === undefined || named === "") return Math.floor(now / DAY_MS) % SHARDS;
  const shard = Number(named);
  if (/^\d+$/u.test(named) && shard < SHARDS) return shard;
  throw new Error(
    `KUBESCAFFOLD_SHARD is ${JSON.stringify(named)}, and must be a number from 0 to ${String(SHARDS - 1)}`,
  );
}

/** The number of parts; all of them run while the random tests run all of their shards. */
export const PARTS = DAYS;

/** Returns the part of a shard of the random tests, from 1. */
export function partOfShard(shard) {
  if (!Number.isInteger(shard) || shard < 0 || shard >= SHARDS) throw new Error(`there is no shard ${String(shard)}`);
  return shard + 1;
}

/** Reads `--part=3/14` from arguments; `undefined` stands for all parts. Throws when the argument is none of the parts. */
export function partIn(args) {
  const text = args.find((word) => word.startsWith("--part="))?.slice("--part=".length);
  if (text === undefined) return undefined;
  const part = Array.from({ length: PARTS }, (_, index) => index + 1).find(
    (each) => text === `${String(each)}/${String(PARTS)}`,
  );
  if (part !== undefined) return part;
  throw new Error(
    `--part is ${JSON.stringify(text)}, and must be one of 1/${String(PARTS)} to ${String(PARTS)}/${String(PARTS)}`,
  );
}

/** Returns those items that belong to a part; of items that are sorted by time, the longest first, each part takes about as long. */
export function inPart(items, part) {
  if (part === undefined) return [...items];
  return items.filter((_, index) => partAt(index) === part);
}

/** Returns the other items: those that do not belong to a part. */
export function leftOut(items, part) {
  const today = inPart(items, part);
  return items.filter((each) => !today.includes(each));
}

// There and back again, so that the part with the longest item gets the shortest one of the next round.
function partAt(index) {
  const place = index % PARTS;
  return Math.floor(index / PARTS) % 2 === 0 ? place + 1 : PARTS - place;
}

/** Files of `npm run test:e2e` that take long and that other tests cover in part, the longest first. */
export const ROTATING_FILES = [
  "packages/envtest/test/verify/verify-operator.e2e.test.ts",
  "packages/envtest/test/rehearse/regressions.e2e.test.ts",
  "test/cli/commands/verify/verify-examples.e2e.test.ts",
  "test/e2e/kubectl-table.test.ts",
  "test/journeys/tutorials.test.ts",
  "test/journeys/recipes.test.ts",
  "test/journeys/package-managers.test.ts",
  "test/e2e/screenshots.test.ts",
  "test/journeys/second-version.test.ts",
  "test/journeys/invalid-input.test.ts",
  "test/journeys/examples.test.ts",
  "test/e2e/cluster-dashboard.test.ts",
  "test/e2e/example.test.ts",
  "packages/dashboard/test/page/browser/accessibility.e2e.test.ts",
  "test/hostile/repositories.test.ts",
  "packages/dashboard/test/page/browser/cluster.e2e.test.ts",
  "packages/apiserver/test/hostile/long-rules.test.ts",
  "test/scenarios/any-kind.test.ts",
  "plugins/deploy-image/test/generated-project.e2e.test.ts",
  "test/e2e/strictness.test.ts",
  "test/cli/commands/alpha-update/alpha-update.e2e.test.ts",
  "packages/schema/test/hostile/functions-of-values.test.ts",
  "test/cli/command-sequences.e2e.test.ts",
  "packages/runtime/test/certificates/rotation-schedules.e2e.test.ts",
  "packages/runtime/test/certificates/rotation-on-server.e2e.test.ts",
  "packages/runtime/test/certificates/rotation-under-load.e2e.test.ts",
  "packages/runtime/test/sharding/replicas.e2e.test.ts",
  "test/hostile/http-answers.test.ts",
  "test/scenarios/any-group.test.ts",
  "packages/dashboard/test/server/objects/used-permissions.e2e.test.ts",
  "packages/envtest/test/streams/copy.e2e.test.ts",
  "test/e2e/go-envtest.test.ts",
  "test/e2e/dev-kubeconfig.test.ts",
  "packages/dashboard/test/page/browser/views.e2e.test.ts",
  "packages/runtime/test/hostile/work-in-proportion.test.ts",
  "test/scaffolds/manager-program.e2e.test.ts",
  "test/scaffolds/image.e2e.test.ts",
  "test/cli/long-names.e2e.test.ts",
  "packages/dashboard/test/server/cluster/cluster-dashboard.e2e.test.ts",
  "test/hostile/go-projects.test.ts",
  "test/go-project/unlisted-parts.e2e.test.ts",
  "packages/runtime/test/certificates/interrupted-replica.e2e.test.ts",
  "packages/runtime/test/leader-election/contenders.e2e.test.ts",
  "packages/runtime/test/streams/failing-copies.e2e.test.ts",
  "test/cli/yaml-names.e2e.test.ts",
  "packages/generators/test/run/memoize-parts.e2e.test.ts",
  "packages/runtime/test/manager/pprof-server.e2e.test.ts",
  "test/cli/commands/image/sign-image.e2e.test.ts",
  "packages/runtime/test/hostile/thrown-values-of-parts.test.ts",
  "packages/apiserver/test/hostile/long-lists.test.ts",
  "test/hostile/project-files.test.ts",
  "test/types/reconciler-idioms.e2e.test.ts",
  "packages/apiserver/test/hostile/large-bodies.test.ts",
  "packages/runtime/test/hostile/thrown-values.test.ts",
  "packages/runtime/test/hostile/large-objects-in-webhooks.test.ts",
  "packages/cluster/test/controllers/hostile-numbers.e2e.test.ts",
  "packages/envtest/test/simulation/simulation.e2e.test.ts",
  "test/cli/commands/create-api/beside-core-kind.e2e.test.ts",
  "packages/runtime/test/manager/operator.e2e.test.ts",
  "packages/envtest/test/chaos/operator.e2e.test.ts",
  "packages/generators/test/importer/verify-import.e2e.test.ts",
  "test/cli/session/interrupted-commands.e2e.test.ts",
  "test/project/add-missing-keys.e2e.test.ts",
  "packages/runtime/test/hostile/large-objects.test.ts",
  "packages/envtest/test/fake-client/differential/differential.e2e.test.ts",
  "plugins/helm/test/chart-templates.e2e.test.ts",
  "packages/envtest/test/hostile/requests.test.ts",
  "plugins/helm/test/rendered-chart.e2e.test.ts",
  "packages/envtest/test/chaos/examples.e2e.test.ts",
  "packages/cluster/test/cluster/persist.e2e.test.ts",
  "packages/apiserver/test/server/object-history.e2e.test.ts",
  "packages/runtime/test/leader-election/lost-lease.e2e.test.ts",
  "packages/dashboard/test/page/browser/editor.e2e.test.ts",
  "packages/runtime/test/rest/silent-server.e2e.test.ts",
  "plugins/helm/test/chart-values.e2e.test.ts",
  "packages/apiserver/test/watch-stress/watch-stress.e2e.test.ts",
  "packages/runtime/test/cache/faults-of-watches-on-server.e2e.test.ts",
  "packages/k8s/test/json/native-functions.e2e.test.ts",
  "test/cli/command/terminal.e2e.test.ts",
  "test/cli/commands/rename-api/rename-group-and-version.e2e.test.ts",
  "test/cli/commands/alpha-generate/alpha-generate.e2e.test.ts",
  "test/cli/commands/image/run-image.e2e.test.ts",
  "test/cli/flags/folder-flags.e2e.test.ts",
  "test/changes/plugin-outputs.e2e.test.ts",
  "plugins/helm/test/upstream-charts.e2e.test.ts",
  "packages/cluster/test/controllers/event-loop.e2e.test.ts",
  "test/kustomize/build.e2e.test.ts",
  "packages/generators/test/crd/built-in-structs.e2e.test.ts",
  "packages/apiserver/test/aggregation/broken-servers.e2e.test.ts",
  "packages/runtime/test/manager/faults-on-server.e2e.test.ts",
  "test/cli/commands/k8s-docs/without-cache.e2e.test.ts",
  "packages/runtime/test/rest/tls.e2e.test.ts",
  "packages/envtest/test/streams/stream-timeouts.e2e.test.ts",
  "packages/runtime/test/client/readonly-objects.e2e.test.ts",
  "plugins/autoupdate/test/autoupdate.e2e.test.ts",
  "packages/generators/test/run/same-bytes.e2e.test.ts",
  "packages/runtime/test/manager/signal-handler.e2e.test.ts",
  "packages/k8s/test/oracle/oracle.e2e.test.ts",
  "packages/runtime/test/leader-election/under-load.e2e.test.ts",
  "packages/envtest/test/control-plane/crashed-environment.e2e.test.ts",
  "packages/generators/test/cache/cached-script.e2e.test.ts",
  "test/hostile/values/apiserver.test.ts",
  "packages/runtime/test/sharding/sharding.e2e.test.ts",
  "test/cli/commands/delete/delete-api.e2e.test.ts",
  "test/hostile/values/k8s.test.ts",
  "test/cli/commands/edit/edit-namespaced.e2e.test.ts",
  "test/cli/commands/k8s-docs/k8s-docs.e2e.test.ts",
  "packages/envtest/test/http-server/early-answers.e2e.test.ts",
  "plugins/deploy-image/test/deploy-image.e2e.test.ts",
  "test/e2e/operator-pages.test.ts",
];
