import { connect as connectTcp } from "node:net";

import { ScaffoldError } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { type Clock, FakeClock, realClock } from "@kubescaffold/platform/clock";
import {
  createClient,
  createDiscoveryClient,
  createRestClient,
  podLogs,
  portForward,
  type RestClient,
} from "@kubescaffold/runtime";
import { beforeAll, describe, expect, it } from "vitest";

import { BackendClient } from "../../packages/apiserver/src/aggregation/backend-client.ts";
import { WebhookClient } from "../../packages/apiserver/src/http/webhook-client.ts";
import {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../../packages/cluster/src/cluster/certificate-authority.ts";
import { getHttp } from "../../packages/cluster/src/kubelet/containers/probes/http-get.ts";
import { exchangeWithPod } from "../../packages/dashboard/src/server/cluster/pod-exchange.ts";
import { fetchReleaseIndex } from "../../packages/envtest/src/binaries/release-index.ts";
import { refreshOidcTokens } from "../../packages/runtime/src/rest/oidc-issuer.ts";
import { request } from "../../src/http/request.ts";
import { createRegistryClient } from "../../src/image/registry/registry-client.ts";
import {
  drippingAnswers,
  ENDLESS_ANSWERS,
  HOSTILE_ANSWERS,
  type HostileServer,
  startHostileServer,
} from "../support/hostile-answers.ts";

interface HttpClient {
  readonly name: string;
  readonly isTls?: boolean;
  /** Whether the client reads a limited number of bytes, few enough for a test. */
  readonly isLimited?: boolean;
  /** Whether its errors are those of an HTTP client, whose callers add a code or the words of a Go program. */
  readonly hasPlainErrors?: boolean;
  readonly read: (port: number) => Promise<unknown>;
}

// The longest time limit of these clients is shorter.
const LATE_MS = 60_000;
const LIVENESS = { timeout: 120_000 };

let authority: CertificateAuthority;
beforeAll(async () => {
  authority = await createCertificateAuthority("hostile");
});

// Waits between attempts take no time; time limits do not expire.
const clock: Clock = {
  ...realClock,
  setTimeout: (callback, delayMs) => realClock.setTimeout(callback, delayMs < 10_000 ? 0 : delayMs),
};

async function withRest(port: number, read: (rest: RestClient) => Promise<unknown>): Promise<unknown> {
  const rest = createRestClient(
    {
      server: `http://127.0.0.1:${String(port)}`,
      disableCompression: false,
      credentials: { kind: "token", token: "t" },
    },
    { clock, warningHandler: () => undefined },
  );
  try {
    return await read(rest);
  } finally {
    await rest.close();
  }
}

async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}

const CLIENTS: readonly HttpClient[] = [
  { name: "RestClient.text", read: (port) => withRest(port, (rest) => rest.text({ method: "GET", path: "/metrics" })) },
  {
    name: "RestClient.request",
    read: (port) => withRest(port, (rest) => rest.request({ method: "POST", path: "/api", body: {} })),
  },
  {
    name: "RestClient.stream",
    read: (port) => withRest(port, async (rest) => await first(rest.stream({ method: "GET", path: "/api" }))),
  },
  { name: "client.list", read: (port) => withClient(port, (client) => client.list(ConfigMap)) },
  {
    name: "client.get",
    read: (port) => withClient(port, (client) => client.get(ConfigMap, { namespace: "a", name: "b" })),
  },
  {
    name: "client.create",
    read: (port) =>
      withClient(port, (client) => client.create(ConfigMap.create({ metadata: { namespace: "a", name: "b" } }))),
  },
  { name: "client.watch", read: (port) => withClient(port, async (client) => await first(client.watch(ConfigMap))) },
  { name: "discovery", read: (port) => withRest(port, (rest) => createDiscoveryClient(rest).groups()) },
  {
    name: "the version of a server",
    read: (port) => withRest(port, (rest) => createDiscoveryClient(rest).serverVersion()),
  },
  {
    name: "logs of a Pod",
    read: (port) => withRest(port, async (rest) => await first(podLogs(rest, KEY, { follow: true }).lines())),
  },
  {
    name: "port-forward",
    read: (port) => withRest(port, async (rest) => await (await portForward(rest, KEY)).close()),
  },
  {
    name: "an OpenID Connect issuer",
    isTls: true,
    isLimited: true,
    read: async (port) => await refreshTokens(port, clock),
  },
  { name: "metrics of a Pod", isLimited: true, read: async (port) => await readMetrics(port) },
  {
    name: "downloads of the command line",
    isLimited: true,
    hasPlainErrors: true,
    read: async (port) =>
      await request(fetch, { url: new URL(`http://127.0.0.1:${String(port)}/`), maxBytes: 1024 * 1024 }),
  },
  { name: "a registry", isLimited: true, read: readRegistry },
  {
    name: "the list of binaries",
    isLimited: true,
    read: async (port) => await fetchReleaseIndex(`http://127.0.0.1:${String(port)}/`, fetch),
  },
  { name: "a webhook", isTls: true, isLimited: true, read: async (port) => await callWebhook(port) },
  { name: "an aggregated API server", isTls: true, hasPlainErrors: true, read: callBackend },
  {
    name: "a probe",
    isLimited: true,
    hasPlainErrors: true,
    read: async (port) =>
      await getHttp(
        { port, path: "/" },
        { spec: {}, address: "127.0.0.1", userAgent: "a", open: (host, number) => connectTcp(number, host) },
        new AbortController().signal,
      ),
  },
];

const KEY = { namespace: "a", name: "b" };

async function withClient(
  port: number,
  read: (client: ReturnType<typeof createClient>) => Promise<unknown>,
): Promise<unknown> {
  return await withRest(port, async ({ config }) => {
    const client = createClient(config, { clock });
    try {
      return await read(client);
    } finally {
      await (client as { close?: () => Promise<void> }).close?.();
    }
  });
}

async function refreshTokens(port: number, time: Clock): Promise<unknown> {
  const issuer = { issuerUrl: `https://127.0.0.1:${String(port)}/idp`, clientId: "a" };
  return await refreshOidcTokens({ ...issuer, ca: authority.cert }, "refresh-token", time);
}

async function readMetrics(port: number, time: Clock = clock): Promise<unknown> {
  const transport = async (sent: Request): Promise<Response> =>
    await exchangeWithPod(connectTcp(port, "127.0.0.1"), sent);
  const rest = createRestClient({ server: "http://pod", transport }, { clock: time });
  try {
    return await rest.text({ method: "GET", path: "/metrics", timeoutMs: 30_000 });
  } finally {
    await rest.close();
  }
}

async function readRegistry(port: number): Promise<unknown> {
  const client = createRegistryClient({
    registry: `127.0.0.1:${String(port)}`,
    credentials: { kind: "password", username: "a", password: "b" },
    isInsecure: true,
    fetch,
    wait: async () => undefined,
  });
  return await client.send({ what: "pull a", path: "a/manifests/v1", scopes: ["repository:a:pull"] });
}

async function callWebhook(port: number, time: Clock = clock): Promise<unknown> {
  const client = new WebhookClient(time, () => ({ host: "127.0.0.1", port }));
  try {
    return await client.call({
      clientConfig: {
        service: { namespace: "a", name: "b", port: 443 },
        caBundle: Buffer.from(authority.cert).toString("base64"),
      },
      body: "{}",
      timeoutSeconds: 30,
    });
  } finally {
    client.close();
  }
}

async function callBackend(port: number): Promise<unknown> {
  const client = new BackendClient(async () => await authority.issueClient({ user: "front" }));
  try {
    const outcome = await client.call({
      backend: { kind: "address", address: { host: "127.0.0.1", port } },
      location: "b.a.svc:443",
      serverName: "b.a.svc",
      caBundle: Buffer.from(authority.cert).toString("base64"),
      isVerified: true,
      method: "GET",
      path: "/apis",
      headers: {},
      body: new Uint8Array(),
      user: { name: "a", groups: [] },
      signal: new AbortController().signal,
    });
    if (outcome.kind === "upgraded") outcome.socket.destroy();
    if (outcome.kind === "answer") for await (const chunk of outcome.body) void chunk;
    return outcome.kind;
  } finally {
    client.close();
  }
}

// The errors of `fetch` name what is wrong; commands add what they did.
function problemOf(error: unknown, { hasPlainErrors = false }: HttpClient): string | undefined {
  if (error instanceof ScaffoldError) return undefined;
  const isPlain = hasPlainErrors && error instanceof Error && !(error instanceof RangeError);
  return isPlain ? undefined : String(error);
}

async function serverFor({ isTls }: HttpClient): Promise<HostileServer> {
  if (isTls !== true) return await startHostileServer();
  return await startHostileServer(await authority.issueServer({ dnsNames: ["b.a.svc"], ipAddresses: ["127.0.0.1"] }));
}

describe.each(CLIENTS.map((client) => [client.name, client] as const))("%s", (_name, client) => {
  it("survives each hostile response: with a result, or an error with a code", LIVENESS, async () => {
    const server = await serverFor(client);
    // Vitest fails for exceptions and rejections that nobody catches.
    const problems: string[] = [];
    const answers = [...HOSTILE_ANSWERS, ...(client.isLimited === true ? ENDLESS_ANSWERS : [])];
    for (const answer of answers) {
      server.answer = answer;

      try {
        await client.read(server.port);
      } catch (error) {
        const problem = problemOf(error, client);
        if (problem !== undefined) problems.push(`${answer.name}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
    // Each answer was sent: a client that cannot connect survives everything.
    expect(server.answered.size).toBe(answers.length);
  });
});

const LIMITED_IN_TIME: readonly (Pick<HttpClient, "name" | "isTls"> & {
  readonly read: (port: number, time: Clock) => Promise<unknown>;
})[] = [
  { name: "metrics of a Pod", read: readMetrics },
  { name: "a webhook", isTls: true, read: callWebhook },
  { name: "an OpenID Connect issuer", isTls: true, read: refreshTokens },
  {
    name: "RestClient with a timeout",
    read: async (port, time) => {
      const rest = createRestClient({ server: `http://127.0.0.1:${String(port)}` }, { clock: time });
      try {
        return await rest.text({ method: "GET", path: "/api", timeoutMs: 30_000 });
      } finally {
        await rest.close();
      }
    },
  },
];

describe.each(LIMITED_IN_TIME.map((client) => [client.name, client] as const))("%s", (_name, client) => {
  it("leaves a server that drips when its time is up", LIVENESS, async () => {
    const server = await serverFor({ ...client, read: async () => undefined });
    let time = new FakeClock();
    let onEnd = (): void => undefined;
    for (const answer of drippingAnswers({ onDrip: () => time.step(LATE_MS), onEnd: () => onEnd() })) {
      time = new FakeClock();
      const ended = new Promise<void>((resolve) => {
        onEnd = resolve;
      });
      server.answer = answer;
      const [outcome] = await Promise.allSettled([client.read(server.port, time)]);
      expect([answer.name, (outcome as { readonly reason?: unknown }).reason]).toEqual([
        answer.name,
        expect.any(ScaffoldError),
      ]);
      await ended;
    }
  });
});
