import { ignoreAlreadyExists } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";

import { DNSRecord } from "../../../../../examples/dnsrecord/api/v1/dnsrecord_types.ts";
import { DNSRecordReconciler } from "../../../../../examples/dnsrecord/internal/controller/dnsrecord_controller.ts";
import { DnsServer } from "../../../../../examples/dnsrecord/test/dns/dns_server.ts";
import { type CreateExample, DesiredObjects, differences, mapValues, NAMESPACE } from "./example.ts";

const NAMES = ["a", "b", "c", "d"];
const SECRET = { namespace: NAMESPACE, name: "dns-api" };

/** The example dnsrecord. Its DNS API fails now and then, too, as long as the user acts. */
export const createDnsRecord: CreateExample = (surroundings) => {
  const { client, random } = surroundings;
  let server: DnsServer | undefined;
  const desired = new DesiredObjects(surroundings, {
    kind: DNSRecord,
    names: NAMES,
    create: (name) =>
      DNSRecord.create({
        metadata: { namespace: NAMESPACE, name },
        spec: {
          zone: "example.com",
          name,
          type: "A",
          values: [`192.0.2.${String(Math.floor(random() * 250))}`],
          credentialsSecret: SECRET.name,
        },
      }),
  });
  const start = async (): Promise<DnsServer> => {
    const started = await DnsServer.start();
    const stringData = { url: started.url, token: started.token };
    await ignoreAlreadyExists(client.create(Secret.create({ metadata: SECRET, stringData })));
    return started;
  };
  return {
    name: "dnsrecord",
    setup: async (mgr) => await new DNSRecordReconciler(mgr.getClient()).setupWithManager(mgr),
    act: async () => {
      server ??= await start();
      server.fault = () => (random() < 0.1 ? { status: 503 } : undefined);
      await desired.act();
    },
    violations: async () => {
      if (server === undefined) return ["the DNS API was not started"];
      server.fault = () => undefined;
      const found = await desired.found();
      const owners = new Map([...found.values()].map(({ metadata }) => [metadata.uid, metadata.name ?? ""]));
      const entries = [...server.records.values()];
      return [
        ...differences("object", mapValues(found, valuesOf), mapValues(desired.objects, valuesOf)),
        ...differences(
          "record",
          new Map(entries.map((entry) => [owners.get(entry.owner) ?? `left: ${entry.name}`, entry.values])),
          mapValues(found, valuesOf),
        ),
        ...[...found.values()].flatMap(({ metadata, status }) =>
          server?.records.has(status?.recordId ?? "") === true ? [] : [`${metadata.name ?? ""} reports another record`],
        ),
      ];
    },
    stop: async () => await server?.stop(),
  };
};

function valuesOf({ spec }: DNSRecord): readonly string[] {
  return spec.values;
}
