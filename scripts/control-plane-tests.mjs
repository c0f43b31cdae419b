// The tests of packages that use an environment, whichever its server is, and that run on the real control plane, too. Each list selects files as arguments of vitest do.

export const RUNTIME_TESTS = [
  "packages/runtime/test/cache/cache-on-server",
  "packages/runtime/test/cache/faults-of-watches-on-server",
  "packages/runtime/test/cache/informers-and-indexes-on-server",
  "packages/runtime/test/cache/streamed-list-on-server",
  "packages/runtime/test/certificates/certificate-request",
  "packages/runtime/test/certificates/rotation-on-server",
  "packages/runtime/test/client/read-your-writes",
  "packages/runtime/test/client/server",
  "packages/runtime/test/client/upgrade-managed-fields",
  "packages/runtime/test/client/wrappers-on-server",
  "packages/runtime/test/client/apply",
  "packages/runtime/test/controller/controller-on-server",
  "packages/runtime/test/discovery/mapper-on-server",
  "packages/runtime/test/dependents/applied-on-server",
  "packages/runtime/test/dependents/dependents-on-server",
  "packages/runtime/test/hostile/nested-objects-on-server",
  "packages/runtime/test/informers/informers-on-server",
  "packages/runtime/test/leader-election/clock-skew",
  "packages/runtime/test/leader-election/under-load",
  "packages/runtime/test/manager/faults-on-server",
  "packages/runtime/test/manager/manager-on-server",
  "packages/runtime/test/manager/operator",
  "packages/runtime/test/manager/outage",
  "packages/runtime/test/manager/two-clusters",
  "packages/runtime/test/rest/rest-on-server",
  "packages/runtime/test/rest/token-rotation",
  "packages/runtime/test/source/sources-on-server",
  "packages/runtime/test/webhook/authentication-on-server",
  "packages/runtime/test/webhook/conversion-on-server",
  "packages/runtime/test/webhook/webhook-server-on-server",
  "packages/runtime/test/webhook/webhooks-on-server",
  "packages/runtime/test/workqueue/queues-on-server",
];

export const ENVIRONMENT_TESTS = [
  "packages/envtest/test/fake-client/differential",
  "packages/envtest/test/environment/environment.test",
  "packages/envtest/test/chaos/examples.e2e",
  "packages/envtest/test/chaos/operator.e2e",
  "packages/envtest/test/control-plane/crashed-environment",
  "packages/envtest/test/chaos/chaos.test",
  "packages/envtest/test/chaos/example.test",
  "packages/envtest/test/suite/test-environment",
];

export const LEASE_TESTS = ["packages/runtime/test/leader-election/contenders"];
