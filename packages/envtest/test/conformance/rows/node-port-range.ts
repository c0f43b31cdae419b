import type { FlagRow } from "../flag-row.ts";
import { objectOf, type Answer, type Json, type RowContext } from "../row.ts";

export const NODE_PORT_RANGE_ROWS: readonly FlagRow[] = [
  {
    row: 531,
    title: "Services have ports of the nodes of the given range, until it is full",
    flags: async () => await Promise.resolve(["--service-node-port-range=31000+3"]),
    run: async (tools) => {
      const nodePort = { type: "NodePort" };
      const local = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, externalTrafficPolicy: "Local" };
      await create(tools, "outside", { ...nodePort, ports: [{ port: 80, nodePort: 30_000 }] });
      await create(tools, "above", { ...nodePort, ports: [{ port: 80, nodePort: 31_004 }] });
      await create(tools, "last", { ...nodePort, ports: [{ port: 80, nodePort: 31_003 }] });
      const ports = [80, 81, 82].map((port) => ({ name: `p${String(port)}`, port }));
      await create(tools, "three", { ...nodePort, ports });
      await create(tools, "full", { ...nodePort, ports: [{ port: 80 }] });
      await create(tools, "full-dry-run", { ...nodePort, ports: [{ port: 80 }] }, "?dryRun=All");
      await create(tools, "health", { ...local, ports: [{ port: 80 }] });
    },
  },
  {
    row: 532,
    title: "a larger range leaves its first ports to requests",
    flags: async () => await Promise.resolve(["--service-node-port-range=1000-1099"]),
    run: async (tools) => {
      const ports = Array.from({ length: 84 }, (_each, index) => ({ name: `p${String(index)}`, port: index + 1 }));
      await create(tools, "first", { type: "NodePort", ports: [{ port: 80, nodePort: 1000 }] });
      await create(tools, "many", { type: "NodePort", ports });
      await create(tools, "more", { type: "NodePort", ports: [{ port: 80 }] });
    },
  },
];

async function create(tools: RowContext, name: string, spec: Json, query = ""): Promise<void> {
  const { namespace, quietly, note } = tools;
  const path = `/api/v1/namespaces/${namespace}/services${query}`;
  note(name, factsOf(await quietly({ method: "POST", path, body: { metadata: { name }, spec } })));
}

// Ports are given in any order, and those of the reserved part only when the others are used up.
function factsOf(answer: Answer): unknown {
  const { spec = {}, message, details } = objectOf(answer);
  if (answer.status >= 300) return { status: answer.status, message, details };
  const ports = ((spec["ports"] ?? []) as readonly { readonly nodePort: number }[]).map(({ nodePort }) =>
    nodePort > 1000 && nodePort < 1016 ? "reserved" : String(nodePort),
  );
  return { status: answer.status, nodePorts: ports.toSorted() };
}
