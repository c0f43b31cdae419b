// The tests of packages that use an environment, whichever its server is, and that run on the real control plane, too. Each list selects files as arguments of vitest do.

export const RUNTIME_TESTS = [
  "test/cache/cache-on-server",
  "test/cache/faults-of-watches-on-server",
  "test/cache/informers-and-indexes-on-server",
  "test/cache/streamed-list-on-server",
  "test/certificates/certificate-request",
  "test/client/read-your-writes",
  "test/client/server",
  "test/client/upgrade-managed-fields",
  "test/client/wrappers-on-server",
  "test/client/apply",
  "test/controller/controller-on-server",
  "test/discovery/mapper-on-server",
  "test/dependents/applied-on-server",
  "test/dependents/dependents-on-server",
  "test/hostile/nested-objects-on-server",
  "test/informers/informers-on-server",
  "test/leader-election/clock-skew",
  "test/leader-election/under-load",
  "test/manager/faults-on-server",
  "test/manager/manager-on-server",
  "test/manager/operator",
  "test/manager/outage",
  "test/manager/two-clusters",
  "test/rest/rest-on-server",
  "test/rest/token-rotation",
  "test/source/sources-on-server",
  "test/webhook/authentication-on-server",
  "test/webhook/conversion-on-server",
  "test/webhook/webhook-server-on-server",
  "test/webhook/webhooks-on-server",
  "test/workqueue/queues-on-server",
];

export const ENVIRONMENT_TESTS = ["environment.test", "chaos/", "fake-client/differential"];

export const LEASE_TESTS = ["leader-election/contenders"];
